import type { Locale } from '#lib/languages.ts'
import type { Purpose } from '#platform/area.ts'
import { de } from './de/index.ts'
import { en } from './en/index.ts'
import { es } from './es/index.ts'
import { fr } from './fr/index.ts'
import type { InvoiceTexts } from './invoices.ts'
import { it } from './it/index.ts'
import type { Facts, Kind, MailFacts, MailKind, Message, PaymentFailure, Texts } from './kinds.ts'
import type { ConsentTexts, Language, PageTexts } from './language.ts'
import { nl } from './nl/index.ts'
import { pl } from './pl/index.ts'
import { pt } from './pt/index.ts'
import type { SignInTexts } from './sign-in.ts'

/** Every language we speak: another one is one more folder, and one more line of `#lib/languages.ts`. */
export const LANGUAGES: Readonly<Record<Locale, Language>> = { en, fr, de, nl, es, it, pl, pt }

function languageOf(locale: string): Language {
  return Object.hasOwn(LANGUAGES, locale) ? LANGUAGES[locale as keyof typeof LANGUAGES] : en
}

/** The texts of a language; English where we do not speak it. */
export function textsIn(locale: string): Texts {
  return languageOf(locale).texts
}

/** What a person is told, in their language. */
export function noticeText<K extends Kind>(locale: string, kind: K, facts: Facts[K]): Message {
  return textsIn(locale).notices[kind](facts)
}

/** What a kind of notification is called in a language; English where we do not speak it. */
export function kindName(locale: string, kind: Kind): string {
  return languageOf(locale).kindNames[kind]
}

/** Why a payment failed, in the words of a language. */
export function paymentFailureText(locale: string, failure: PaymentFailure): string {
  return textsIn(locale).paymentFailures[failure]
}

/** What a mail says, in the language of who gets it. */
export function mailText<K extends MailKind>(
  locale: string,
  kind: K,
  facts: MailFacts[K],
): Message {
  return textsIn(locale).mails[kind](facts)
}

/** The words of the sign-in pages; English where we do not speak a language. */
export function signInTexts(locale: string): SignInTexts {
  return languageOf(locale).signIn
}

/** What invoices and credit notes say; English where we do not speak a language. */
export function invoiceTexts(locale: string): InvoiceTexts {
  return languageOf(locale).invoices
}

/** The words around mails; English where we do not speak a language. */
export function pageTexts(locale: string): PageTexts {
  return languageOf(locale).pages
}

/** What customers agree to; English where we do not speak a language. */
export function consentTexts(locale: string): ConsentTexts {
  return languageOf(locale).consent
}

/** What purposes are there, whoever names them. */
export const PURPOSES: readonly string[] = Object.keys(en.purposes)

/**
 * The purposes that areas name, in a language; English where we do not speak it. Throws for one that
 * has no text: nobody gets an export in which something is kept without a reason.
 */
export function purposesIn(locale: string, names: readonly string[]): Purpose[] {
  const texts: Readonly<Record<string, Purpose>> = languageOf(locale).purposes
  return names.map((name) => {
    const purpose = texts[name]
    if (!purpose) throw new Error(`There is no text for the purpose ${name}`)
    return purpose
  })
}
