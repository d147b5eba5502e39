import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { saveFile } from '../../../api/downloads.ts'
import { useList } from '../../../api/lists.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  type DataColumn,
  DataList,
  DateFilter,
  Empty,
  I,
  Page,
  rangeOf,
  refused,
  SearchFilter,
  Tag,
  told,
  useChange,
  useChoice,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import { ActorOf, AuditEntryDrawer, type Entry, ObjectOf } from './audit-entry.tsx'

type Method = keyof ReturnType<typeof useAdminTexts>['system']['methods']

const METHODS: readonly Method[] = ['POST', 'PATCH', 'PUT', 'DELETE', 'GET']
const FAILED = 400

/** The audit log, with the verification of its hash chain. */
export function Audit() {
  const { system: texts } = useAdminTexts()
  const { number } = useFormats()
  const { search } = useListAddress()
  const [opened, open] = useState<Entry | null>(null)
  const method = useChoice('method', texts.method, METHODS, texts.methods)
  const filters = {
    ...method.query,
    ...(search.route && { route: search.route }),
    ...(search.objectId && { objectId: search.objectId }),
    ...(search.actorId && { actorId: search.actorId }),
    ...rangeOf(search),
  }
  const list = useList(['audit', filters], (where, signal) =>
    client.GET('/v1/admin/audit-logs', {
      params: { query: { ...where, limit: 50, ...filters } },
      signal,
    }),
  )
  const verify = useChange((_: null) => client.GET('/v1/admin/audit-logs/verify'), {
    done: ({ valid, entries, brokenAt }) =>
      valid
        ? told(texts.verified(number(entries)))
        : refused(texts.broken(String(brokenAt ?? '')), texts.auditText),
  })
  const saveAll = () =>
    void saveFile(
      'audit-log.csv',
      client.GET('/v1/admin/audit-logs/export', { params: { query: filters }, parseAs: 'blob' }),
    )
  return (
    <Page
      wide
      title={texts.audit}
      sub={texts.auditText}
      actions={
        <>
          <Button variant="default" onClick={saveAll}>
            {texts.exportAll}
          </Button>
          <Button loading={verify.isPending} onClick={() => verify.mutate(null)}>
            {texts.verify}
          </Button>
        </>
      }
    >
      <DataList
        name="audit"
        views="audit"
        caption={texts.audit}
        list={list}
        columns={useColumns(open)}
        filters={
          <>
            <SearchFilter name="route" label={texts.what} />
            {method.filter}
            <DateFilter />
          </>
        }
        empty={<Empty icon={I.History} title={texts.noAudit} />}
      />
      <AuditEntryDrawer entry={opened} close={() => open(null)} />
    </Page>
  )
}

function useColumns(open: (entry: Entry) => void): readonly DataColumn<Entry>[] {
  const { system: texts } = useAdminTexts()
  const { moment } = useFormats()
  return [
    {
      ...{
        id: 'what',
        head: texts.what,
        value: ({ method, route }: Entry) => `${method} ${route}`,
      },
      cell: (entry) => (
        <button type="button" className="plain-link" onClick={() => open(entry)}>
          {texts.methods[entry.method as Method] ?? entry.method}{' '}
          <span className="mono dim">{entry.route}</span>
          {entry.changes.length > 0 ? (
            <span className="sub block">{entry.changes.map(({ path }) => path).join(', ')}</span>
          ) : null}
        </button>
      ),
    },
    {
      ...{ id: 'who', head: texts.who, small: 'sub' },
      value: ({ actorName, actorId }) => actorName ?? actorId,
      cell: (entry) => <ActorOf entry={entry} />,
    },
    {
      ...{ id: 'object', head: texts.object, small: 'sub' },
      value: ({ object, objectId }) => object?.name ?? objectId,
      cell: (entry) => <ObjectOf entry={entry} />,
    },
    {
      ...{ id: 'address', head: texts.address, small: 'hide', optional: true },
      value: ({ address }) => address,
      cell: ({ address }) => address ?? '–',
    },
    {
      ...{
        id: 'result',
        head: texts.result,
        small: 'second',
        value: ({ statusCode }) => statusCode,
      },
      cell: ({ statusCode }) =>
        statusCode === null ? (
          texts.running
        ) : (
          <Tag tone={statusCode >= FAILED ? 'failed' : 'active'}>{statusCode}</Tag>
        ),
    },
    {
      ...{ id: 'time', head: texts.time, small: 'hide', value: ({ createdAt }) => createdAt },
      cell: ({ createdAt }) => moment(createdAt),
    },
  ]
}
