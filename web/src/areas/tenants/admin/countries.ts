/** The countries of the EU, by their ISO codes; their VAT numbers begin with these, Greek ones with EL. */
const EU = new Set([
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'],
  ...['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
])

/** Countries outside the euro area, and their usual currencies. */
const CURRENCIES: Readonly<Record<string, string>> = {
  ...{ US: 'USD', GB: 'GBP', CH: 'CHF', LI: 'CHF', CA: 'CAD', AU: 'AUD', NZ: 'NZD' },
  ...{ PL: 'PLN', CZ: 'CZK', HU: 'HUF', RO: 'RON', SE: 'SEK', DK: 'DKK', NO: 'NOK', IS: 'ISK' },
  ...{ BR: 'BRL', JP: 'JPY', SG: 'SGD', TR: 'TRY', UA: 'UAH', ZA: 'ZAR', MX: 'MXN', IN: 'INR' },
}

/** The usual defaults for a seller in a country; all can be changed. */
export function presetOf(country: string) {
  const isEu = EU.has(country)
  return {
    isEu,
    currency: CURRENCIES[country] ?? (isEu ? 'EUR' : 'USD'),
    vatPrefix: isEu ? (country === 'GR' ? 'EL' : country) : null,
    /** Consumer prices include VAT, except in North America. */
    priceMode:
      country === 'US' || country === 'CA' ? ('exclusive' as const) : ('inclusive' as const),
  }
}

export const SELLING_CURRENCIES: readonly string[] = [
  ...new Set(['EUR', 'USD', ...Object.values(CURRENCIES)]),
].sort()
