import type { components } from '@moorage/client'
import { LOCALES, type Locale } from '@moorage/languages'
import type { Intent } from '../../../api/actions.ts'
import { client } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { told } from '../../../ui/index.ts'
import { useTimes } from '../../../ui/times.ts'

export type Announcement = components['schemas']['Announcement']

/** When the form sends an announcement. */
export const SENDINGS = ['now', 'later', 'draft'] as const
type Sending = (typeof SENDINGS)[number]

type Title = `${Locale}Title`
type Body = `${Locale}Body`
type Texts = Readonly<Record<Title | Body, string>>

export type Fields = Texts & {
  readonly link: string
  readonly mailed: boolean
  readonly public: boolean
  readonly productIds: readonly string[]
  readonly sending: string
  readonly publishAt: string
}

/** A title and a text in each language; empty where none was written. */
function textsOf(texts: Announcement['texts']): Texts {
  return Object.fromEntries(
    LOCALES.flatMap((it) => [
      [`${it}Title`, texts[it]?.title ?? ''],
      [`${it}Body`, texts[it]?.body ?? ''],
    ]),
  ) as Texts
}

/** The written texts, as the API takes them. */
function written(fields: Texts): Announcement['texts'] {
  return Object.fromEntries(
    LOCALES.flatMap((it) => {
      const [title, body] = [fields[`${it}Title`].trim(), fields[`${it}Body`].trim()]
      return title ? [[it, { title, body }] as const] : []
    }),
  )
}

/** What a form sends, with the instant of the planned time: null for a draft. */
type Sent = { readonly fields: Fields; readonly publishAt: string | null }

function add({ fields, publishAt }: Sent, intent: Intent) {
  const { link, mailed, productIds, sending } = fields
  const path = orNull(link)
  return client.POST('/v1/admin/announcements', {
    body: {
      ...{ texts: written(fields), mailed, public: fields.public, productIds: [...productIds] },
      ...(path && { link: path }),
      ...(sending !== 'now' && { publishAt }),
    },
    ...intent,
  })
}

async function change({ id, publishedAt }: Announcement, sent: Sent, intent: Intent) {
  const { fields, publishAt } = sent
  const { link, mailed, productIds, sending } = fields
  const params = { path: { id } }
  const isSent = publishedAt !== null
  const changed = await client.PATCH('/v1/admin/announcements/{id}', {
    params,
    body: {
      ...{ texts: written(fields), link: orNull(link) },
      ...(!isSent && { mailed, public: fields.public, productIds: [...productIds] }),
      // Of one that is sent now, the planned time holds until then.
      ...(!isSent && sending !== 'now' && { publishAt }),
    },
    ...intent,
  })
  if (changed.error || isSent || sending !== 'now') return changed
  return client.POST('/v1/admin/announcements/{id}/publish', { params })
}

/** The form of a new announcement (null), a draft, or one that was sent. */
export function useAnnouncementForm(announcement: Announcement | null, close: () => void) {
  const texts = useAdminTexts().mails.announcements
  const { fieldOf, instantOf } = useTimes()
  const fieldsOf = (it: Announcement): Fields => ({
    ...textsOf(it.texts),
    ...{ link: it.link ?? '', mailed: it.mailed, public: it.public, productIds: it.productIds },
    ...{ sending: sendingOf(it), publishAt: it.publishAt ? fieldOf(it.publishAt) : '' },
  })
  const none = { ...textsOf({}), link: '', mailed: false, public: false, productIds: [] }
  const saved: Fields = announcement
    ? fieldsOf(announcement)
    : { ...none, sending: 'now', publishAt: '' }
  /** The field has no seconds: a time that was not changed is sent as it is. */
  const publishAtOf = ({ sending, publishAt }: Fields) => {
    if (sending !== 'later') return null
    return publishAt === saved.publishAt && announcement?.publishAt
      ? announcement.publishAt
      : instantOf(publishAt)
  }
  const id = announcement?.id
  const form = useForm({
    ...{ name: id ? `announcement:${id}` : 'announcement', saved },
    call: (fields: Fields, intent: Intent) => {
      const sent = { fields, publishAt: publishAtOf(fields) }
      return announcement ? change(announcement, sent, intent) : add(sent, intent)
    },
    edits: id
      ? {
          read: () => client.GET('/v1/admin/announcements/{id}', { params: { path: { id } } }),
          fieldsOf,
        }
      : null,
    changes: [['announcements']],
    done: (_, { sending }) => {
      if (announcement?.publishedAt || sending === 'draft') told(texts.saved)
      else told(sending === 'later' ? texts.scheduled : texts.sent)
      close()
    },
  })
  return { form, isUntimed: form.fields.sending === 'later' && publishAtOf(form.fields) === null }
}

function sendingOf({ status }: Announcement): Sending {
  if (status === 'published') return 'now'
  return status === 'scheduled' ? 'later' : 'draft'
}
