import type { components } from '@moorage/client'
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

type Announcement = components['schemas']['Announcement']

/** Its kinds of fields make it larger than the list, so it is loaded when it is opened. */
const Writing = lazy(async () => ({ default: (await import('./announcement-drawer.tsx')).Writing }))

/** The announcements, and a form for a new one. */
export function Announcements() {
  const { mails } = useAdminTexts()
  const texts = mails.announcements
  const { moment, number } = useFormats()
  const locale = useLocale()
  const mayWrite = useMay()('announcements:write')
  const [isWriting, write] = useState(false)
  const list = useList(['announcements'], (where, signal) =>
    client.GET('/v1/admin/announcements', { params: { query: where }, signal }),
  )
  const shopLocale = useQuery(meta).data?.locale
  const titleOf = ({ texts: all }: Announcement) =>
    textFor(all, locale, shopLocale)?.[1].title ?? ''
  const columns: readonly DataColumn<Announcement>[] = [
    {
      ...{ id: 'title', head: texts.heading, value: titleOf },
      cell: (it) => <span className="strong">{titleOf(it)}</span>,
    },
    {
      ...{ id: 'time', head: mails.time, small: 'sub', value: ({ createdAt }) => createdAt },
      cell: ({ createdAt }) => moment(createdAt),
    },
    {
      ...{ id: 'told', head: texts.told(''), small: 'second', value: (it) => it.told },
      cell: (it) => (
        <Tag tone={it.finishedAt ? 'active' : 'waiting'}>{texts.told(number(it.told))}</Tag>
      ),
    },
  ]
  const button = mayWrite ? (
    <Button leftSection={<I.Speakerphone size={16} aria-hidden />} onClick={() => write(true)}>
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
      {isWriting ? (
        <Suspense>
          <Writing close={() => write(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}
