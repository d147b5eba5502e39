/** A dump that cannot be read: why, and where in its text. */
export class DumpFault extends Error {
  readonly code: string
  readonly byte: number | null
  readonly line: number | null

  constructor(code: string, byte: number | null = null, line: number | null = null) {
    super(byte === null ? code : `${code} at line ${line}, byte ${byte}`)
    this.code = code
    this.byte = byte
    this.line = line
  }
}
