/** The functions of pg for writing values that are used here. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** A value as PostgreSQL reads it as text, or its bytes. */
    prepareValue(value: unknown): string | Buffer | null
  }
  export = utils
}
