/** How far the doctor goes before it lets a question be. */
export const doctorLimits = {
  /** Servers that are looked at, and with `live` started, at the same time. */
  serversAtOnce: 4,
  /** How long something that listens on this machine may take to accept. */
  localConnectMs: 1_500,
  /** The same across the network, with names and certificates. */
  remoteConnectMs: 8_000,
  /** One safe read. */
  liveReadMs: 20_000,
  /** Lines of a log beneath a row. */
  linesShown: 10,
  /** Other details beneath a row. */
  detailsShown: 12,
  /** Characters of one such line. */
  lineCharsMax: 400,
  /** File names of a folder that are compared with a mistyped command. */
  namesPerFolderMax: 5_000,
  /** A file that is looked into to see whether it could be a config file. */
  nearMissBytesMax: 256 * 1024,
  /** Less than this on the disk is said; less than a tenth of it is a fault. */
  diskFreeBytesMin: 200 * 1024 * 1024,
  /** Clocks that differ by less are taken as equal. */
  clockSkewMs: 5 * 60_000,
} as const;
