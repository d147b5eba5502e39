import type { Language } from '../language.ts'
import { consent } from './consent.ts'
import { invoices } from './invoices.ts'
import { kindNames } from './kind-names.ts'
import { texts } from './notices.ts'
import { pages } from './pages.ts'
import { purposes } from './purposes.ts'
import { signIn } from './sign-in.ts'

/** Everything people read, in Polish. */
export const pl: Language = { invoices, texts, kindNames, purposes, signIn, pages, consent }
