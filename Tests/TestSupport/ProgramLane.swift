/// Holds the suites that start processes, or whose very subject is real time or a resource of the whole machine.
///
/// It is nothing but a name by which the test commands choose: `--filter ProgramLane` runs these suites, and
/// `--skip ProgramLane` leaves them out.
public enum ProgramLane {}
