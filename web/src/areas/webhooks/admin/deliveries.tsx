import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  type DataColumn,
  DataList,
  Drawer,
  Empty,
  I,
  Loaded,
  Tag,
  told,
  useChange,
  useChoice,
  useFormats,
} from '../../../ui/index.ts'
import { DELIVERY_TONES, type Delivery } from './reads.ts'

const STATUSES = ['failed', 'held', 'pending', 'delivered'] as const

const delivery = (id: string) =>
  read(['webhooks', 'delivery', id], (signal) =>
    client.GET('/v1/admin/webhook-endpoints/deliveries/{id}', { params: { path: { id } }, signal }),
  )

/** The deliveries of an endpoint; each opens with its payload and the responses. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const { integrations: texts } = useAdminTexts()
  const { moment, number } = useFormats()
  const [opened, open] = useState<Delivery | null>(null)
  const status = useChoice('status', texts.status, STATUSES, texts.statuses)
  const list = useList(['webhooks', endpointId, 'deliveries', status.query], (where, signal) =>
    client.GET('/v1/admin/webhook-endpoints/{id}/deliveries', {
      params: { path: { id: endpointId }, query: { ...where, ...status.query } },
      signal,
    }),
  )
  const columns: readonly DataColumn<Delivery>[] = [
    {
      ...{ id: 'event', head: texts.event, value: ({ type }: Delivery) => type },
      cell: (it) => (
        <button type="button" className="rowlink mono" onClick={() => open(it)}>
          {it.type}
        </button>
      ),
    },
    {
      ...{ id: 'attempts', head: texts.attempts, right: true, small: 'hide' },
      value: ({ attempts }) => attempts,
      cell: ({ attempts }) => number(attempts),
    },
    {
      ...{ id: 'time', head: texts.time, small: 'sub', value: ({ createdAt }) => createdAt },
      cell: ({ createdAt }) => moment(createdAt),
    },
    {
      ...{ id: 'status', head: texts.status, small: 'second' },
      value: (it) => texts.statuses[it.status],
      cell: (it) => <Tag tone={DELIVERY_TONES[it.status]}>{texts.statuses[it.status]}</Tag>,
    },
  ]
  return (
    <section aria-label={texts.deliveries}>
      <h2 className="h2">{texts.deliveries}</h2>
      <DataList
        name="deliveries"
        caption={texts.deliveries}
        list={list}
        columns={columns}
        filters={status.filter}
        empty={<Empty icon={I.Send} title={texts.noDeliveries} />}
      />
      <Drawer opened={opened !== null} onClose={() => open(null)} title={opened?.type ?? ''}>
        {opened ? <Opened id={opened.id} /> : null}
      </Drawer>
    </section>
  )
}

function Opened({ id }: { id: string }) {
  const { integrations: texts } = useAdminTexts()
  const { moment } = useFormats()
  const mayWrite = useMay()('webhooks:write')
  const again = useChange(
    (it: string, intent) =>
      client.POST('/v1/admin/webhook-endpoints/deliveries/{id}/replay', {
        params: { path: { id: it } },
        ...intent,
      }),
    {
      changes: [['webhooks']],
      done: () => told(texts.sentAgain),
    },
  )
  return (
    <Loaded query={useQuery(delivery(id))} waiting="…">
      {({ requestBody, log, status }) => (
        <div className="stack">
          <div className="row between">
            <Tag tone={DELIVERY_TONES[status]}>{texts.statuses[status]}</Tag>
            {mayWrite ? (
              <Button variant="default" loading={again.isPending} onClick={() => again.mutate(id)}>
                {texts.again}
              </Button>
            ) : null}
          </div>
          <h3 className="legend-label">{texts.payload}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keys. */}
          <pre className="code" tabIndex={0}>
            {pretty(requestBody)}
          </pre>
          <h3 className="legend-label">{texts.tries}</h3>
          {log.length === 0 ? <p className="sub">{texts.noTries}</p> : null}
          <ol className="stack s8">
            {log.map(({ id: key, startedAt, statusCode, error, durationMs, responseBody }) => (
              <li key={key}>
                <span className="strong">{texts.answer(statusCode, durationMs)}</span>
                <span className="sub block">
                  {moment(startedAt)}
                  {error ? ` · ${error}` : ''}
                </span>
                {responseBody ? (
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keys.
                  <pre className="code" tabIndex={0}>
                    {responseBody}
                  </pre>
                ) : null}
              </li>
            ))}
          </ol>
        </div>
      )}
    </Loaded>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
