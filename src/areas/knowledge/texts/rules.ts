import type { findText, VersionRow } from './queries.ts'

type WholeText = NonNullable<Awaited<ReturnType<typeof findText>>>

/** A text as staff see it. */
export function textView({ tenantId: _, liveVersionId: __, locale, markdown, ...text }: WholeText) {
  return { ...text, language: locale, text: markdown }
}

/** A version as staff see it. */
export function versionView({ tenantId: _, articleId: __, locale: ___, ...rest }: VersionRow) {
  const { markdown, ...version } = rest
  return { ...version, text: markdown }
}
