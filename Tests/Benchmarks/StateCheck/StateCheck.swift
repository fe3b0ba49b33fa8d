@main struct StateCheck { static func main() {} }
