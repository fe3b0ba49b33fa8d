// SPDX-License-Identifier: GPL-3.0-or-later

import AcousticFingerprinting
import Commands
import DesktopControl
import FormatSniffing
import HelperDecoding
import PlayerFlow
import RemoteControl
import Screens
import Tagging

/// The services through which other programs reach the player.
extension Segue {
  /// Returns the services for the server and the desktop.
  ///
  /// - Parameters:
  ///   - stores: The stores of the player.
  ///   - covers: Provides the covers of tracks.
  static func remoteServices(_ stores: PlayerStores, _ covers: CoverCache) -> RemoteServices {
    RemoteServices(
      startServer: { request throws(RemoteServerError) in
        let player = ControlledPlayer(
          queue: stores.queue, playback: stores.playback,
          library: request.library.map { index, flow in
            RemoteLibrary(
              index, store: flow.library, actions: flow.libraryActions, playlists: request.playlists,
              covers: covers.source, fingerprinter: AcousticFingerprinter(decoders: decode))
          }, decoders: decoders, port: request.port)
        return try RemoteServer(
          player, socket: request.socket, ownsDirectory: request.ownsDirectory, addresses: request.addresses,
          inherited: request.inherited, access: request.access)
      },
      showOnDesktop: { port in
        let desktop = DesktopPlayer(port) { covers.file(of: $0) }
        return { desktop.shutDown() }
      })
  }

  /// The decoders, as listed for clients.
  private static var decoders: [RemoteDecoder] {
    let all = [
      RemoteDecoder(name: "sndfile", suffixes: AudioFileFormat.suffixes(.played)),
      RemoteDecoder(name: "ffmpeg", suffixes: AudioFileFormat.suffixes(.playedByFFmpeg)),
    ]
    return helpers.isInstalled ? all : Array(all.prefix(1))
  }
}
