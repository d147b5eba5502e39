// Current ISO 4217 currencies, without funds, metals, test codes and withdrawn currencies.
const TWO_DECIMALS =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF ' +
  'CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD ' +
  'HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA ' +
  'MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN ' +
  'QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP ' +
  'TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG'
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'

const DECIMALS = new Map<string, number>([
  ...TWO_DECIMALS.split(' ').map((code) => [code, 2] as const),
  ...NO_DECIMALS.split(' ').map((code) => [code, 0] as const),
  ...THREE_DECIMALS.split(' ').map((code) => [code, 3] as const),
])

/** Every currency a price can be in, as ISO 4217 codes in alphabetical order. */
export const CURRENCIES: readonly string[] = [...DECIMALS.keys()].sort()

/** Whether a text is the ISO 4217 code of a currency in use, in capitals. */
export function isCurrency(code: string): boolean {
  return DECIMALS.has(code)
}

/**
 * The number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD. "Cents" are its smallest
 * unit, so 500 cents of JPY are 500 yen. RangeError for an unknown code.
 */
export function decimalsOf(currency: string): number {
  const decimals = DECIMALS.get(currency)
  if (decimals === undefined) throw new RangeError(`Not a currency: ${currency}`)
  return decimals
}
