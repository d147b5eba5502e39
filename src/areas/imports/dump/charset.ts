/** The charsets in which a dump may be, by the names that `TextDecoder` uses. */
export type Charset =
  | 'utf-8'
  | `windows-${1250 | 1251 | 1252 | 1253 | 1254 | 1256 | 1257}`
  | `iso-8859-${2 | 7 | 8 | 13}`
  | 'koi8-r'
  | 'koi8-u'

// MySQL's latin1 is Windows-1252. Charsets in which a quote or backslash may be half of another character (gbk, sjis,
// big5, ucs2, utf16) are not listed: their dumps cannot be parsed byte by byte.
const BY_MYSQL_NAME = new Map<string, Charset>([
  ...(['utf8', 'utf8mb3', 'utf8mb4', 'binary', 'ascii'] as const).map(
    (name) => [name, 'utf-8'] as const,
  ),
  ['latin1', 'windows-1252'],
  ['latin2', 'iso-8859-2'],
  ['latin5', 'windows-1254'],
  ['latin7', 'iso-8859-13'],
  ['cp1250', 'windows-1250'],
  ['cp1251', 'windows-1251'],
  ['cp1256', 'windows-1256'],
  ['cp1257', 'windows-1257'],
  ['greek', 'iso-8859-7'],
  ['hebrew', 'iso-8859-8'],
  ['koi8r', 'koi8-r'],
  ['koi8u', 'koi8-u'],
])

/** The charset that a MySQL name means; null for one whose dumps cannot be read. */
export function charsetOf(mysqlName: string): Charset | null {
  return BY_MYSQL_NAME.get(mysqlName.toLowerCase()) ?? null
}
