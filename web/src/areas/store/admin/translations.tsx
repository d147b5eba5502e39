import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useState } from 'react'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Select, Textarea, TextInput } from '../../../ui/index.ts'

/** Texts by language and key, as they are in a form. */
export type TextsByLanguage = Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>

type Field = {
  readonly key: string
  readonly label: string
  readonly description?: string
  readonly maxLength?: number
  readonly isLong?: boolean
}

/** The texts of each language: a language without any is left out. */
function written(texts: TextsByLanguage, locale: Locale, own: TextsByLanguage[string]) {
  const filled = Object.entries(own).filter(([, value]) => value?.trim())
  const { [locale]: _, ...others } = texts
  return filled.length > 0 ? { ...others, [locale]: Object.fromEntries(filled) } : others
}

type Props = {
  readonly value: TextsByLanguage
  readonly fields: readonly Field[]
  readonly change: (value: TextsByLanguage) => void
}

/** These texts in one language after the other. */
export function LanguageFields({ value, fields, change }: Props) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.translations
  const [locale, choose] = useState<Locale>(LOCALES.find((it) => value[it]) ?? 'en')
  const own = value[locale] ?? {}
  return (
    <>
      <Select
        label={texts.language}
        description={texts.languageHint}
        value={locale}
        data={LOCALES.map((it) => ({
          value: it,
          label: value[it] ? `${languageName(it)} ✓` : languageName(it),
        }))}
        onChange={(chosen) => {
          const found = LOCALES.find((it) => it === chosen)
          if (found) choose(found)
        }}
      />
      {fields.map(({ key, isLong = false, ...field }) => {
        const props = {
          ...field,
          ...{ name: `${locale}-${key}`, lang: locale, value: own[key] ?? '' },
          onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
            change(written(value, locale, { ...own, [key]: currentTarget.value })),
        }
        return isLong ? (
          <Textarea key={key} {...props} autosize minRows={2} />
        ) : (
          <TextInput key={key} {...props} />
        )
      })}
    </>
  )
}

/** Name, description and texts for search engines of a product or category. */
export function TranslationFields({ value, change }: Omit<Props, 'fields'>) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.translations
  const fields: Field[] = [
    { key: 'name', label: texts.name, maxLength: 200 },
    { key: 'description', label: texts.description, isLong: true },
    {
      ...{ key: 'searchTitle', label: texts.searchTitle, maxLength: 100 },
      description: texts.searchHint,
    },
    {
      ...{ key: 'searchDescription', label: texts.searchDescription },
      ...{ isLong: true, maxLength: 300 },
    },
  ]
  return <LanguageFields value={value} fields={fields} change={change} />
}
