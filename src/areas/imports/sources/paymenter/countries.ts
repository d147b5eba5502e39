import { COUNTRIES, isCountry } from '#lib/country.ts'

/** Names in Paymenter's list of countries that differ from those of the Unicode consortium. */
const OTHERS = new Map([
  ['brunei darussalam', 'BN'],
  ['congo', 'CG'],
  ['congo, democratic republic', 'CD'],
  ['czech republic', 'CZ'],
  ['falkland islands (malvinas)', 'FK'],
  ['heard island & mcdonald islands', 'HM'],
  ['holy see (vatican city state)', 'VA'],
  ['hong kong', 'HK'],
  ['iran, islamic republic of', 'IR'],
  ['korea', 'KR'],
  ["lao people's democratic republic", 'LA'],
  ['libyan arab jamahiriya', 'LY'],
  ['macao', 'MO'],
  ['macedonia', 'MK'],
  ['micronesia, federated states of', 'FM'],
  ['myanmar', 'MM'],
  ['palestine, state of', 'PS'],
  ['pitcairn', 'PN'],
  ['russian federation', 'RU'],
  ['south georgia and sandwich isl.', 'GS'],
  ['swaziland', 'SZ'],
  ['syrian arab republic', 'SY'],
  ['turkey', 'TR'],
  ['united states outlying islands', 'UM'],
  ['virgin islands, british', 'VG'],
  ['virgin islands, u.s.', 'VI'],
])

let known: ReadonlyMap<string, string> | undefined

/** The code of a country, from its code or its English name; empty if it is not a country. */
export function countryCode(text: string): string {
  const code = text.trim().toUpperCase()
  if (isCountry(code)) return code
  known ??= names()
  return OTHERS.get(text.trim().toLowerCase()) ?? known.get(plain(text)) ?? ''
}

function names(): Map<string, string> {
  const english = new Intl.DisplayNames(['en'], { type: 'region' })
  return new Map(COUNTRIES.map((code) => [plain(english.of(code) ?? code), code]))
}

/** Only the letters: people write `and` and `&`, `St.` and `Saint`. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\bst\b/g, 'saint')
    .replace(/\b(?:and|the)\b|[^a-z]/g, '')
}
