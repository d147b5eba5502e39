import { textFor } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { meta } from '../../../api/reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useLocale } from '../../../texts/index.tsx'
import {
  Button,
  type DataColumn,
  DataList,
  Empty,
  I,
  Page,
  Tag,
  useFormats,
} from '../../../ui/index.ts'
import type { Announcement } from './announcement-form.ts'

/** Its kinds of fields make it larger than the list, so it is loaded when it is opened. */
const Writing = lazy(async () => ({ default: (await import('./announcement-drawer.tsx')).Writing }))

type Opened = { readonly announcement: Announcement | null }

/** The announcements and drafts, and a form for a new one or for one of them. */
export function Announcements() {
  const texts = useAdminTexts().mails.announcements
  const mayWrite = useMay()('announcements:write')
  const [opened, open] = useState<Opened | null>(null)
  const list = useList(['announcements'], (where, signal) =>
    client.GET('/v1/admin/announcements', { params: { query: where }, signal }),
  )
  const columns = useColumns(mayWrite ? (announcement) => open({ announcement }) : null)
  const button = mayWrite ? (
    <Button
      leftSection={<I.Speakerphone size={16} aria-hidden />}
      onClick={() => open({ announcement: null })}
    >
      {texts.write}
    </Button>
  ) : null
  return (
    <Page title={texts.title} sub={texts.sub} actions={list.rows?.length ? button : null}>
      <DataList
        name="announcements"
        caption={texts.title}
        list={list}
        columns={columns}
        empty={
          <Empty icon={I.Speakerphone} title={texts.none} action={button}>
            {texts.noneText}
          </Empty>
        }
      />
      {opened ? (
        <Suspense>
          <Writing {...opened} close={() => open(null)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

function useColumns(
  edit: ((announcement: Announcement) => void) | null,
): readonly DataColumn<Announcement>[] {
  const texts = useAdminTexts().mails.announcements
  const { moment, number } = useFormats()
  const locale = useLocale()
  const shopLocale = useQuery(meta).data?.locale
  const titleOf = ({ texts: all }: Announcement) =>
    textFor(all, locale, shopLocale)?.[1].title ?? ''
  return [
    {
      ...{ id: 'title', head: texts.heading, value: titleOf },
      cell: (it) =>
        edit ? (
          <button type="button" className="rowlink" onClick={() => edit(it)}>
            {titleOf(it)}
          </button>
        ) : (
          <span className="strong">{titleOf(it)}</span>
        ),
    },
    {
      ...{ id: 'time', head: texts.time, small: 'sub', value: timeOf },
      cell: (it) => moment(timeOf(it)),
    },
    {
      ...{ id: 'status', head: texts.status, small: 'second' },
      value: ({ status }) => texts.statuses[status],
      cell: ({ status, told, finishedAt }) =>
        status === 'published' ? (
          <Tag tone={finishedAt ? 'active' : 'waiting'}>{texts.told(number(told))}</Tag>
        ) : (
          <Tag tone={status === 'scheduled' ? 'waiting' : 'ended'}>{texts.statuses[status]}</Tag>
        ),
    },
  ]
}

/** When it was sent, or is to be; of a draft, when it was added. */
function timeOf({ publishedAt, publishAt, createdAt }: Announcement): string {
  return publishedAt ?? publishAt ?? createdAt
}
