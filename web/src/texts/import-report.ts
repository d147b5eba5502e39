import { deskLocale, type Locale } from '@moorage/languages'
import type { importReport as english } from './en/import-report.ts'
import type { Widened } from './index.tsx'

/** The words of the report of an import. */
export type ReportTexts = Widened<typeof english>

/** In the language of a reader, if the administration has it; else in English. Only the page of an import needs them. */
export async function loadReportTexts(locale: Locale): Promise<ReportTexts> {
  return deskLocale(locale) === 'fr'
    ? (await import('./fr/import-report.ts')).importReport
    : (await import('./en/import-report.ts')).importReport
}
