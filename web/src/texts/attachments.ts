import type { Locale } from '@moorage/languages'
import type { attachments as english } from './en/attachments.ts'
import type { Widened } from './index.tsx'

/** The words about files attached to messages. */
export type AttachmentTexts = Widened<typeof english>

const DICTIONARIES: Readonly<Record<Locale, () => Promise<{ attachments: AttachmentTexts }>>> = {
  en: () => import('./en/attachments.ts'),
  fr: () => import('./fr/attachments.ts'),
  de: () => import('./de/attachments.ts'),
  nl: () => import('./nl/attachments.ts'),
  es: () => import('./es/attachments.ts'),
  it: () => import('./it/attachments.ts'),
  pl: () => import('./pl/attachments.ts'),
  pt: () => import('./pt/attachments.ts'),
}

/** In one language: only tickets need them. */
export async function loadAttachmentTexts(locale: Locale): Promise<AttachmentTexts> {
  return (await DICTIONARIES[locale]()).attachments
}
