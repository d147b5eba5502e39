import type { components } from '@moorage/client'
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

type Entry = components['schemas']['AuditEntry']
type Method = keyof ReturnType<typeof useAdminTexts>['system']['methods']

const METHODS: readonly Method[] = ['POST', 'PATCH', 'PUT', 'DELETE', 'GET']
const FAILED = 400

/** The audit log, with the verification of its hash chain. */
export function Audit() {
  const { system: texts } = useAdminTexts()
  const { number } = useFormats()
  const { search } = useListAddress()
  const method = useChoice('method', texts.method, METHODS, texts.methods)
  const filters = {
    ...method.query,
    ...(search.route && { route: search.route }),
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
        caption={texts.audit}
        list={list}
        columns={useColumns()}
        filters={
          <>
            <SearchFilter name="route" label={texts.what} />
            {method.filter}
            <DateFilter />
          </>
        }
        empty={<Empty icon={I.History} title={texts.noAudit} />}
      />
    </Page>
  )
}

function useColumns(): readonly DataColumn<Entry>[] {
  const { system: texts } = useAdminTexts()
  const { moment } = useFormats()
  return [
    {
      ...{
        id: 'what',
        head: texts.what,
        value: ({ method, route }: Entry) => `${method} ${route}`,
      },
      cell: ({ method, route }) => (
        <span>
          {texts.methods[method as Method] ?? method} <span className="mono dim">{route}</span>
        </span>
      ),
    },
    {
      ...{ id: 'who', head: texts.who, small: 'sub', value: ({ actorId }) => actorId },
      cell: ({ actorId, actorKind, impersonatorId }) => (
        <span className="mono">
          {actorId?.slice(0, 8) ?? texts.unknownActor}
          {actorKind ? ` ${actorKind}` : ''}
          {impersonatorId ? ` · ${texts.asCustomer(impersonatorId.slice(0, 8))}` : ''}
        </span>
      ),
    },
    {
      ...{ id: 'object', head: texts.object, small: 'hide', value: ({ objectId }) => objectId },
      cell: ({ objectId }) => <span className="mono">{objectId?.slice(0, 8) ?? '–'}</span>,
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
