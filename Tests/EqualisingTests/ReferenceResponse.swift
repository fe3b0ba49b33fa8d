// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising

/// Responses that were computed apart from our code, with numpy, from the analogue prototypes of the Audio EQ Cookbook:
///
///     s = 1j * tan(pi * f / rate) / tan(w0 / 2),  w0 = 2 * pi * fc / rate,  A = 10 ** (gain / 40),  r = sqrt(A)
///     1 / Q = 2 * sinh(log(2) / 2 * octaves * w0 / sin(w0))   for a width in octaves
///     peak       (s*s + s*A/Q + 1) / (s*s + s/(A*Q) + 1)
///     low shelf  A * (s*s + r/Q*s + A) / (A*s*s + r/Q*s + 1)
///     high shelf A * (A*s*s + r/Q*s + 1) / (s*s + r/Q*s + A)
///     low pass   1 / (s*s + s/Q + 1)          high pass  s*s / (s*s + s/Q + 1)
///     band pass  (s/Q) / (s*s + s/Q + 1)      notch      (s*s + 1) / (s*s + s/Q + 1)
///     all pass   (s*s - s/Q + 1) / (s*s + s/Q + 1)
///     decibels = 20 * log10(abs(H))
struct ReferenceResponse {
  let filter: EqualiserFilter
  let sampleRate: Int
  /// The gain at each of ``frequencies``, in dB.
  let decibels: [Double]

  static let frequencies: [Double] = [20, 35, 70, 110, 200, 450, 950, 1900, 3500, 7000, 12000, 16500, 20000]

  static let all: [ReferenceResponse] = [
    ReferenceResponse(
      filter: EqualiserFilter(.peak, 1000, gain: 6, .q(1.41)), sampleRate: 44100,
      decibels: [
        0.00130, 0.00399, 0.01605, 0.04002, 0.13744, 0.86596, 5.86674, 1.29207, 0.28541, 0.05738, 0.01264,
        0.00290, 0.00036,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.peak, 1000, gain: 6, .q(1.41)), sampleRate: 96000,
      decibels: [
        0.00131, 0.00400, 0.01609, 0.04012, 0.13781, 0.86830, 5.86740, 1.30430, 0.29526, 0.06610, 0.02056,
        0.00978, 0.00596,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.peak, 1000, gain: 6, .q(1.41)), sampleRate: 192000,
      decibels: [
        0.00131, 0.00400, 0.01610, 0.04015, 0.13789, 0.86877, 5.86753, 1.30676, 0.29725, 0.06790, 0.02229,
        0.01147, 0.00761,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.peak, 105, gain: -7.3, .q(0.7)), sampleRate: 44100,
      decibels: [
        -0.58935, -1.70722, -5.36991, -7.26543, -3.76957, -0.87173, -0.20160, -0.05030, -0.01441, -0.00315,
        -0.00071, -0.00016, -0.00002,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.peak, 105, gain: -7.3, .q(0.7)), sampleRate: 96000,
      decibels: [
        -0.58937, -1.70726, -5.36997, -7.26544, -3.76981, -0.87216, -0.20208, -0.05079, -0.01490, -0.00363,
        -0.00115, -0.00055, -0.00034,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.peak, 105, gain: -7.3, .q(0.7)), sampleRate: 192000,
      decibels: [
        -0.58937, -1.70727, -5.36998, -7.26544, -3.76986, -0.87224, -0.20218, -0.05089, -0.01500, -0.00373,
        -0.00125, -0.00064, -0.00043,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.peak, 9000, gain: 4.5, .octaves(0.5)), sampleRate: 44100,
      decibels: [
        0.00000, 0.00001, 0.00005, 0.00011, 0.00038, 0.00191, 0.00861, 0.03635, 0.14796, 1.57775, 0.99118,
        0.11893, 0.01267,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.peak, 9000, gain: 4.5, .octaves(0.5)), sampleRate: 96000,
      decibels: [
        0.00000, 0.00001, 0.00004, 0.00009, 0.00030, 0.00152, 0.00688, 0.02928, 0.12231, 1.47841, 1.16186,
        0.27750, 0.13639,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.peak, 9000, gain: 4.5, .octaves(0.5)), sampleRate: 192000,
      decibels: [
        0.00000, 0.00001, 0.00004, 0.00009, 0.00029, 0.00145, 0.00659, 0.02807, 0.11787, 1.46054, 1.19135,
        0.30782, 0.16464,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.lowShelf, 105, gain: 4.2, .q(0.7)), sampleRate: 44100,
      decibels: [
        4.19114, 4.13764, 3.47172, 1.91255, 0.32428, 0.01753, 0.00170, 0.00030, 0.00008, 0.00002, 0.00000,
        0.00000, 0.00000,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.lowShelf, 105, gain: 4.2, .q(0.7)), sampleRate: 96000,
      decibels: [
        4.19114, 4.13764, 3.47170, 1.91256, 0.32433, 0.01755, 0.00171, 0.00030, 0.00008, 0.00002, 0.00001,
        0.00000, 0.00000,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.lowShelf, 105, gain: 4.2, .q(0.7)), sampleRate: 192000,
      decibels: [
        4.19114, 4.13764, 3.47170, 1.91256, 0.32434, 0.01755, 0.00171, 0.00030, 0.00008, 0.00002, 0.00001,
        0.00000, 0.00000,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.lowShelf, 300, gain: -9, .q(1.2)), sampleRate: 44100,
      decibels: [
        -9.02725, -9.08324, -9.32765, -9.76444, -9.94682, 0.94730, 0.58257, 0.15016, 0.04319, 0.00946, 0.00212,
        0.00049, 0.00006,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.lowShelf, 300, gain: -9, .q(1.2)), sampleRate: 96000,
      decibels: [
        -9.02726, -9.08326, -9.32772, -9.76458, -9.94652, 0.94662, 0.58375, 0.15157, 0.04464, 0.01088, 0.00345,
        0.00165, 0.00101,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.lowShelf, 300, gain: -9, .q(1.2)), sampleRate: 192000,
      decibels: [
        -9.02726, -9.08327, -9.32774, -9.76460, -9.94646, 0.94648, 0.58398, 0.15185, 0.04493, 0.01118, 0.00374,
        0.00193, 0.00128,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.highShelf, 8000, gain: -5.5, .q(0.7)), sampleRate: 44100,
      decibels: [
        0.00000, 0.00000, -0.00001, -0.00002, -0.00006, -0.00032, -0.00201, -0.01706, -0.15864, -1.92558,
        -4.96578, -5.46213, -5.49852,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.highShelf, 8000, gain: -5.5, .q(0.7)), sampleRate: 96000,
      decibels: [
        0.00000, 0.00000, -0.00001, -0.00002, -0.00007, -0.00040, -0.00260, -0.02315, -0.21041, -2.04002,
        -4.62132, -5.25631, -5.40102,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.highShelf, 8000, gain: -5.5, .q(0.7)), sampleRate: 192000,
      decibels: [
        0.00000, 0.00000, -0.00001, -0.00002, -0.00007, -0.00041, -0.00273, -0.02451, -0.22155, -2.06037,
        -4.55472, -5.19494, -5.35480,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.highShelf, 3000, gain: 3.3, .octaves(1.5)), sampleRate: 44100,
      decibels: [
        -0.00005, -0.00016, -0.00064, -0.00159, -0.00522, -0.02548, -0.09290, 0.04912, 2.42019, 3.41989,
        3.34029, 3.30986, 3.30124,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.highShelf, 3000, gain: 3.3, .octaves(1.5)), sampleRate: 96000,
      decibels: [
        -0.00006, -0.00018, -0.00072, -0.00177, -0.00583, -0.02856, -0.10656, 0.00961, 2.43778, 3.44601,
        3.36728, 3.33418, 3.32128,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.highShelf, 3000, gain: 3.3, .octaves(1.5)), sampleRate: 192000,
      decibels: [
        -0.00006, -0.00018, -0.00073, -0.00181, -0.00595, -0.02917, -0.10929, 0.00164, 2.44132, 3.45146,
        3.37324, 3.34023, 3.32727,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.lowPass, 6000, gain: 0, .q(0.7071)), sampleRate: 44100,
      decibels: [
        0.00000, 0.00000, 0.00000, 0.00000, 0.00000, -0.00011, -0.00213, -0.03457, -0.40467, -4.83278,
        -16.18682, -28.84583, -46.95741,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.lowPass, 6000, gain: 0, .q(0.7071)), sampleRate: 96000,
      decibels: [
        0.00000, 0.00000, 0.00000, 0.00000, -0.00001, -0.00013, -0.00260, -0.04150, -0.46064, -4.60619,
        -12.96756, -19.21391, -23.47233,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.lowPass, 6000, gain: 0, .q(0.7071)), sampleRate: 192000,
      decibels: [
        0.00000, 0.00000, 0.00000, 0.00000, -0.00001, -0.00014, -0.00270, -0.04297, -0.47205, -4.56569,
        -12.46409, -18.01592, -21.52600,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.highPass, 120, gain: 0, .q(1.1)), sampleRate: 44100,
      decibels: [
        -30.98600, -20.98294, -7.91553, -0.08465, 1.50498, 0.35434, 0.08072, 0.02006, 0.00574, 0.00126,
        0.00028, 0.00006, 0.00001,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.highPass, 120, gain: 0, .q(1.1)), sampleRate: 96000,
      decibels: [
        -30.98567, -20.98262, -7.91528, -0.08461, 1.50505, 0.35451, 0.08091, 0.02026, 0.00594, 0.00145,
        0.00046, 0.00022, 0.00013,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.highPass, 120, gain: 0, .q(1.1)), sampleRate: 192000,
      decibels: [
        -30.98560, -20.98255, -7.91523, -0.08460, 1.50506, 0.35454, 0.08095, 0.02030, 0.00598, 0.00148,
        0.00050, 0.00026, 0.00017,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.notch, 2500, gain: 0, .q(2)), sampleRate: 44100,
      decibels: [
        -0.00007, -0.00021, -0.00083, -0.00207, -0.00688, -0.03660, -0.20414, -2.51069, -1.75852, -0.14699,
        -0.02789, -0.00619, -0.00076,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.notch, 2500, gain: 0, .q(2)), sampleRate: 96000,
      decibels: [
        -0.00007, -0.00021, -0.00085, -0.00210, -0.00700, -0.03724, -0.20801, -2.56149, -1.83183, -0.17141,
        -0.04584, -0.02105, -0.01267,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.notch, 2500, gain: 0, .q(2)), sampleRate: 192000,
      decibels: [
        -0.00007, -0.00021, -0.00085, -0.00211, -0.00702, -0.03737, -0.20879, -2.57173, -1.84672, -0.17651,
        -0.04984, -0.02475, -0.01622,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.bandPass, 800, gain: 0, .q(0.9)), sampleRate: 44100,
      decibels: [
        -31.13338, -26.26834, -20.22881, -16.26642, -10.94012, -3.42365, -0.40261, -6.16732, -11.91884,
        -18.64439, -25.16174, -31.54759, -40.60782,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.bandPass, 800, gain: 0, .q(0.9)), sampleRate: 96000,
      decibels: [
        -31.12596, -26.26092, -20.22140, -16.25904, -10.93287, -3.41832, -0.40103, -6.12986, -11.77691,
        -18.03541, -23.05474, -26.27116, -28.41924,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.bandPass, 800, gain: 0, .q(0.9)), sampleRate: 192000,
      decibels: [
        -31.12447, -26.25943, -20.21991, -16.25756, -10.93142, -3.41725, -0.40071, -6.12238, -11.74883,
        -17.92009, -22.70448, -25.57951, -27.35627,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.allPass, 700, gain: 0, .q(1)), sampleRate: 44100,
      decibels: [
        0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000,
        0.00000, 0.00000,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.allPass, 700, gain: 0, .q(1)), sampleRate: 96000,
      decibels: [
        0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000,
        0.00000, 0.00000,
      ]),
    ReferenceResponse(
      filter: EqualiserFilter(.allPass, 700, gain: 0, .q(1)), sampleRate: 192000,
      decibels: [
        0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000,
        0.00000, 0.00000,
      ]),
  ]
}
