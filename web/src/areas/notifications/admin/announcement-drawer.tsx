import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { meta } from '../../../api/reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  AddLanguage,
  Confirm,
  ConfirmButton,
  FormDialog,
  MultiSelect,
  Select,
  Switch,
  Textarea,
  TextInput,
  useWrittenLanguages,
} from '../../../ui/index.ts'
import { useTimes } from '../../../ui/times.ts'
import { type Announcement, SENDINGS, useAnnouncementForm } from './announcement-form.ts'

const products = read(['products', 'names'], (signal) =>
  client.GET('/v1/admin/products', { params: { query: { limit: 100 } }, signal }),
)

type Form = ReturnType<typeof useAnnouncementForm>['form']
type WritingProps = { readonly announcement: Announcement | null; readonly close: () => void }

/** Writes an announcement, or edits one (a draft, or the texts of one that was sent); asks before it is sent. */
export function Writing({ announcement, close }: WritingProps) {
  const texts = useAdminTexts().mails.announcements
  const [isAsking, ask] = useState(false)
  const { form, isUntimed } = useAnnouncementForm(announcement, close)
  const { fields, text } = form
  const isSent = announcement?.status === 'published'
  const isEmpty = !LOCALES.some((it) => isWritten(form, it))
  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    if (!isSent && fields.sending === 'now') ask(true)
    else form.save()
  }
  return (
    <>
      <FormDialog
        atSide
        title={announcement ? texts.edit : texts.write}
        form={{ ...form, submit }}
        close={close}
        save={useSaveLabel(isSent, fields.sending)}
        isIncomplete={isEmpty || isUntimed}
        removal={announcement && !isSent ? <Removal {...{ announcement, close }} /> : null}
      >
        {isSent ? <p className="dim">{texts.editHint}</p> : null}
        <TextFields form={form} />
        {isSent ? null : <Audience form={form} />}
        <TextInput {...text('link')} label={texts.link} placeholder="/minecraft" />
        {isSent ? null : <Sending form={form} />}
        {isEmpty ? <p className="sub">{texts.needsText}</p> : null}
      </FormDialog>
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
    </>
  )
}

function isWritten({ fields }: Form, locale: Locale): boolean {
  return fields[`${locale}Title`].trim() !== ''
}

function useSaveLabel(isSent: boolean, sending: string): string {
  const texts = useAdminTexts().mails.announcements
  if (isSent) return texts.save
  if (sending === 'now') return texts.send
  return sending === 'later' ? texts.schedule : texts.saveDraft
}

/** A title and a text in the languages of the shop; further languages can be added. */
function TextFields({ form }: { form: Form }) {
  const texts = useAdminTexts().mails.announcements
  const { text } = form
  const languages = useWrittenLanguages({
    shopLocale: useQuery(meta).data?.locale,
    isWritten: (locale) => isWritten(form, locale),
  })
  return (
    <>
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
    </>
  )
}

/** Who reads it, and where. */
function Audience({ form: { fields, set, flag } }: { form: Form }) {
  const texts = useAdminTexts().mails.announcements
  const may = useMay()
  const known = useQuery({ ...products, enabled: may('store:read') }).data?.data ?? []
  const options = known.map(({ id, name }) => ({ value: id, label: name }))
  const others = fields.productIds.filter((id) => !known.some((it) => it.id === id))
  return (
    <>
      {may('store:read') ? (
        <MultiSelect
          label={texts.who}
          placeholder={fields.productIds.length === 0 ? texts.everybody : ''}
          searchable
          value={[...fields.productIds]}
          data={[...options, ...others.map((id) => ({ value: id, label: `…${id.slice(-4)}` }))]}
          onChange={(productIds) => set({ productIds })}
        />
      ) : null}
      <Switch {...flag('mailed')} label={texts.mailed} description={texts.mailedHint} />
      <Switch {...flag('public')} label={texts.public} />
    </>
  )
}

/** When it is sent: now, at a planned time, or not yet. */
function Sending({ form: { fields, choice, text } }: { form: Form }) {
  const texts = useAdminTexts().mails.announcements
  const { timeZone } = useTimes()
  return (
    <>
      <Select
        {...choice('sending')}
        label={texts.when}
        allowDeselect={false}
        data={SENDINGS.map((value) => ({ value, label: texts.sendings[value] }))}
      />
      {fields.sending === 'later' ? (
        <TextInput
          {...text('publishAt')}
          type="datetime-local"
          label={texts.publishAt(timeZone)}
          required
        />
      ) : null}
    </>
  )
}

function Removal({ announcement, close }: { announcement: Announcement; close: () => void }) {
  const texts = useAdminTexts().mails.announcements
  const params = { path: { id: announcement.id } }
  return (
    <ConfirmButton
      variant="subtle"
      color="red"
      verb={texts.remove}
      title={texts.removeTitle}
      call={(_, intent) => client.DELETE('/v1/admin/announcements/{id}', { params, ...intent })}
      changes={[['announcements']]}
      told={texts.removed}
      done={close}
      isDangerous
    >
      {texts.removeText}
    </ConfirmButton>
  )
}
