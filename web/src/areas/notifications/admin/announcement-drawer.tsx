import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { meta } from '../../../api/reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  AddLanguage,
  Button,
  Confirm,
  Drawer,
  Faulty,
  MultiSelect,
  Switch,
  Textarea,
  TextInput,
  told,
  useWrittenLanguages,
} from '../../../ui/index.ts'

const products = read(['products', 'names'], (signal) =>
  client.GET('/v1/admin/products', { params: { query: { limit: 100 } }, signal }),
)

type Title = `${Locale}Title`
type Body = `${Locale}Body`

/** A title and a text in each language, all empty. */
const NO_TEXTS = Object.fromEntries(
  LOCALES.flatMap((it) => [
    [`${it}Title`, ''],
    [`${it}Body`, ''],
  ]),
) as Readonly<Record<Title | Body, string>>

/** Writes an announcement, and asks for confirmation before it is sent. */
export function Writing({ close }: { close: () => void }) {
  const { mails } = useAdminTexts()
  const { common } = useTexts()
  const texts = mails.announcements
  const may = useMay()
  const [isAsking, ask] = useState(false)
  const known = useQuery({ ...products, enabled: may('store:read') }).data?.data ?? []
  const form = useForm({
    name: 'announcement',
    saved: {
      ...{ ...NO_TEXTS, link: '' },
      ...{ mailed: false, productIds: [] as string[] },
    },
    call: (wanted, intent) => {
      const { link, mailed, productIds } = wanted
      const written = LOCALES.flatMap((it) => {
        const [title, body] = [wanted[`${it}Title`].trim(), wanted[`${it}Body`].trim()]
        return title ? [[it, { title, body }] as const] : []
      })
      return client.POST('/v1/admin/announcements', {
        body: {
          ...{ texts: Object.fromEntries(written), mailed, productIds },
          ...(orNull(link) && { link: link.trim() }),
        },
        ...intent,
      })
    },
    edits: null,
    changes: [['announcements']],
    done: () => {
      told(texts.sent)
      close()
    },
  })
  const { fields, set, text, flag } = form
  const isWritten = (locale: Locale) => fields[`${locale}Title`].trim() !== ''
  const languages = useWrittenLanguages({ shopLocale: useQuery(meta).data?.locale, isWritten })
  const isEmpty = !LOCALES.some(isWritten)
  return (
    <Drawer opened onClose={close} title={texts.write}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isEmpty) ask(true)
        }}
      >
        <Faulty fault={form.fault} />
        {languages.shown.map((it) => (
          <Fragment key={it}>
            <TextInput
              {...text(`${it}Title`)}
              lang={it}
              label={`${texts.heading} (${languageName(it)})`}
            />
            <Textarea
              {...text(`${it}Body`)}
              lang={it}
              label={`${texts.body} (${languageName(it)})`}
              autosize
              minRows={3}
            />
          </Fragment>
        ))}
        <AddLanguage label={texts.addLanguage} missing={languages.missing} add={languages.add} />
        {may('store:read') ? (
          <MultiSelect
            label={texts.who}
            placeholder={fields.productIds.length === 0 ? texts.everybody : ''}
            searchable
            value={fields.productIds}
            data={known.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(productIds) => set({ productIds })}
          />
        ) : null}
        <TextInput {...text('link')} label={texts.link} placeholder="/minecraft" />
        <Switch {...flag('mailed')} label={texts.mailed} description={texts.mailedHint} />
        {isEmpty ? <p className="sub">{texts.needsText}</p> : null}
        <div className="drawer-foot row ends">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" disabled={isEmpty}>
            {texts.send}
          </Button>
        </div>
      </form>
      <Confirm
        opened={isAsking}
        close={() => ask(false)}
        title={texts.sendTitle}
        action={texts.send}
        run={() => {
          ask(false)
          form.save()
        }}
        isRunning={form.isSaving}
      >
        {texts.sendText}
      </Confirm>
    </Drawer>
  )
}
