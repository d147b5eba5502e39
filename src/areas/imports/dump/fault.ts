/** A dump that cannot be read: the reason, its position in the file, and a detail. */
export class DumpFault extends Error {
  readonly code: string
  readonly byte: number | null
  readonly line: number | null
  readonly detail: string | null

  constructor(
    code: string,
    byte: number | null = null,
    line: number | null = null,
    detail: string | null = null,
  ) {
    super(byte === null ? code : `${code} at line ${line}, byte ${byte}`)
    this.code = code
    this.byte = byte
    this.line = line
    this.detail = detail
  }

  /** A fault of the dump as a whole, with a detail. */
  static of(code: string, detail: string): DumpFault {
    return new DumpFault(code, null, null, detail.slice(0, 500))
  }
}
