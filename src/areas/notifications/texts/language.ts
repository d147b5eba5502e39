import type { Purpose } from '#platform/area.ts'
import type { purposes } from './en/purposes.ts'
import type { InvoiceTexts } from './invoices.ts'
import type { Texts } from './kinds.ts'
import type { SignInTexts } from './sign-in.ts'

/** What stands under mails that may be stopped, and on the page that stops them. */
export type PageTexts = {
  stopMails: string
  stopTitle: string
  stopBody: string
  stop: string
  stopped: string
}

/** One language: everything people read of us. A folder has all of it. */
export type Language = {
  invoices: InvoiceTexts
  texts: Texts
  purposes: Readonly<Record<keyof typeof purposes, Purpose>>
  signIn: SignInTexts
  pages: PageTexts
}
