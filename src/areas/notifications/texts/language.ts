import type { Purpose } from '#platform/area.ts'
import type { purposes } from './en/purposes.ts'
import type { InvoiceTexts } from './invoices.ts'
import type { Kind, Texts } from './kinds.ts'
import type { SignInTexts } from './sign-in.ts'

/** Why the reader gets a mail. */
export type MailReason = 'account' | 'staff' | 'address' | 'invitation'

/** The footer of mails, and the page that stops mails of a kind. */
export type PageTexts = {
  /** Why the reader gets this mail, from the shop of that name. */
  why: Readonly<Record<MailReason, (shop: string) => string>>
  /** Stands before the URL of the button, for mail programs that do not show the button. */
  orOpen: string
  stopMails: string
  stopTitle: string
  stopBody: string
  stop: string
  stopped: string
}

/** What customers agree to before they order. A new wording gets a new version in `orders`. */
export type ConsentTexts = {
  /** The request to begin before the time to withdraw is over, and what follows from it (R4.8). */
  immediateStart: string
}

/** One language: everything people read of us. A folder has all of it. */
export type Language = {
  invoices: InvoiceTexts
  texts: Texts
  /** What each kind of notification is called where people choose what they are told. */
  kindNames: Readonly<Record<Kind, string>>
  purposes: Readonly<Record<keyof typeof purposes, Purpose>>
  signIn: SignInTexts
  pages: PageTexts
  consent: ConsentTexts
}
