import type { components } from '@moorage/client'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  Page,
  Tag,
  useFormats,
} from '../../../ui/index.ts'
import { IMPORT_TONES } from './reads.ts'

type Summary = components['schemas']['ImportSummary']

const StartImport = lazy(async () => ({ default: (await import('./start.tsx')).StartImport }))

/** The list of imports, and the upload of a new dump. */
export function Imports() {
  const { imports: texts } = useAdminTexts()
  const { moment, fileSize } = useFormats()
  const mayWrite = useMay()('imports:write')
  const [isStarting, start] = useState(false)
  const list = useList(['imports', 'list'], (where, signal) =>
    client.GET('/v1/admin/imports', { params: { query: { ...where, limit: 50 } }, signal }),
  )
  const columns: readonly DataColumn<Summary>[] = [
    {
      ...{ id: 'file', head: texts.fileName, value: ({ file }: Summary) => file.name },
      cell: ({ id, file }) => (
        <Link to="/admin/imports/$id" params={{ id }} className="rowlink">
          {file.name}
        </Link>
      ),
    },
    {
      ...{ id: 'mode', head: texts.mode, small: 'hide' },
      value: ({ dryRun }) => (dryRun ? texts.dryRun : texts.real),
      cell: ({ dryRun }) => (dryRun ? texts.dryRun : texts.real),
    },
    {
      ...{ id: 'size', head: texts.size, right: true, small: 'hide' },
      value: ({ file }) => file.bytes,
      cell: ({ file }) => fileSize(file.bytes),
    },
    {
      ...{ id: 'started', head: texts.started, small: 'sub' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => moment(createdAt),
    },
    {
      ...{ id: 'status', head: texts.status, small: 'second' },
      value: ({ status }) => texts.statuses[status],
      cell: ({ status }) => <Tag tone={IMPORT_TONES[status]}>{texts.statuses[status]}</Tag>,
    },
  ]
  const button = mayWrite ? (
    <Button leftSection={<I.Upload size={16} aria-hidden />} onClick={() => start(true)}>
      {texts.start}
    </Button>
  ) : null
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={(list.rows?.length ?? 0) > 0 ? button : null}
    >
      <DataList
        name="imports"
        caption={texts.title}
        list={list}
        columns={columns}
        empty={
          <Empty icon={I.Database} title={texts.none} action={button}>
            {texts.noneText}
          </Empty>
        }
      />
      {isStarting ? (
        <Suspense>
          <StartImport close={() => start(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}
