import type { Locale } from '@moorage/languages'
import type { creditKinds as english, vouchers as englishVouchers } from './en/credit-kinds.ts'
import type { Widened } from './index.tsx'

/** What changed credit, by the kind of the entry in the API. */
export type CreditKinds = Widened<typeof english>
export type VoucherTexts = Widened<typeof englishVouchers>

type CreditTexts = { readonly creditKinds: CreditKinds; readonly vouchers: VoucherTexts }

const DICTIONARIES: Readonly<Record<Locale, () => Promise<CreditTexts>>> = {
  en: () => import('./en/credit-kinds.ts'),
  fr: () => import('./fr/credit-kinds.ts'),
  de: () => import('./de/credit-kinds.ts'),
  nl: () => import('./nl/credit-kinds.ts'),
  es: () => import('./es/credit-kinds.ts'),
  it: () => import('./it/credit-kinds.ts'),
  pl: () => import('./pl/credit-kinds.ts'),
  pt: () => import('./pt/credit-kinds.ts'),
}

/** The words for what changed credit in one language: only the histories of credit need them. */
export async function loadCreditKinds(locale: Locale): Promise<CreditKinds> {
  return (await DICTIONARIES[locale]()).creditKinds
}

/** The words of the form that redeems vouchers, in one language: only the screen with the credit needs them. */
export async function loadVoucherTexts(locale: Locale): Promise<VoucherTexts> {
  return (await DICTIONARIES[locale]()).vouchers
}
