import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateways } from '../../../api/admin-reads.ts'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Copy,
  Drawer,
  Empty,
  Facts,
  I,
  Loaded,
  Page,
  RemoveButton,
  Sortable,
  Tag,
  type Tone,
  useFormats,
} from '../../../ui/index.ts'
import { GatewayForm, NewGateway } from './gateway-form.tsx'
import { GatewayTestCard, useGatewayTest } from './gateway-test.tsx'
import { type Gateway, gatewayDrivers } from './reads.ts'

const TONES: Readonly<Record<Gateway['status'], Tone>> = {
  ...{ ok: 'active', unknown: 'waiting', unhealthy: 'failed' },
}

/** The payment gateways, in the order in which the shop offers them. */
export function Gateways() {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.gateways
  const may = useMay()
  const list = useQuery(gateways)
  const [opened, open] = useState<string | 'new' | null>(null)
  const mayWrite = may('gateways:write')
  const add = (
    <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => open('new')}>
      {texts.add}
    </Button>
  )
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={mayWrite && (list.data?.data.length ?? 0) > 0 ? add : null}
    >
      <Loaded query={list}>
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <Card>
                <Empty icon={I.CreditCard} title={texts.none} action={mayWrite ? add : null}>
                  {texts.noneText}
                </Empty>
              </Card>
            ) : (
              <Ways rows={data} open={open} mayWrite={mayWrite} />
            )}
            {opened ? (
              <GatewayDrawer
                gateway={data.find(({ id }) => id === opened) ?? null}
                close={() => open(null)}
                open={open}
              />
            ) : null}
          </>
        )}
      </Loaded>
    </Page>
  )
}

type WaysProps = {
  readonly rows: readonly Gateway[]
  readonly open: (id: string) => void
  readonly mayWrite: boolean
}

function Ways({ rows, open, mayWrite }: WaysProps) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.gateways
  const { ago } = useFormats()
  const inOrder = [...rows].sort((a, b) => a.position - b.position)
  return (
    <div className="stack">
      <Card flush>
        <Sortable
          rows={inOrder}
          label={texts.title}
          place={
            mayWrite
              ? ({ id, position }) =>
                  client.PATCH('/v1/admin/gateways/{id}', {
                    params: { path: { id } },
                    body: { position },
                  })
              : null
          }
          changes={[['gateways']]}
        >
          {(it) => (
            <div className="product-row">
              <span className="grow">
                <button type="button" className="plain-link strong" onClick={() => open(it.id)}>
                  {it.name}
                </button>
                <span className="sub block">
                  {texts.providers[it.driver] ?? it.driver}
                  {it.checkedAt ? ` · ${texts.checked(ago(it.checkedAt))}` : ''}
                </span>
                {it.message ? <span className="sub block">{it.message}</span> : null}
              </span>
              {it.mode === 'test' ? <Tag tone="attention">{texts.modes.test}</Tag> : null}
              <Tag tone={it.enabled ? TONES[it.status] : 'ended'}>
                {it.enabled ? texts.status[it.status] : texts.disabled}
              </Tag>
            </div>
          )}
        </Sortable>
      </Card>
    </div>
  )
}

type DrawerProps = {
  readonly gateway: Gateway | null
  readonly close: () => void
  readonly open: (id: string) => void
}

function GatewayDrawer({ gateway, close, open }: DrawerProps) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.gateways
  const may = useMay()
  const drivers = useQuery(gatewayDrivers)
  const test = useGatewayTest()
  const mayWrite = may('gateways:write')
  const saved = ({ id, enabled }: Gateway) => {
    open(id)
    if (enabled) test.run(id)
  }
  return (
    <Drawer opened onClose={close} title={gateway?.name ?? texts.add}>
      <Loaded query={drivers} waiting="…">
        {({ data }) => {
          const driver = data.find((it) => it.driver === gateway?.driver)
          if (!gateway) return <NewGateway drivers={data} done={saved} />
          return (
            <div className="stack s24">
              {mayWrite && driver ? (
                <GatewayForm key={gateway.id} driver={driver} gateway={gateway} done={saved} />
              ) : null}
              {mayWrite ? <GatewayTestCard gateway={gateway} test={test} /> : null}
              <Facts left rows={factsOf(gateway, texts)} />
              {mayWrite ? <Removal gateway={gateway} close={close} /> : null}
            </div>
          )
        }}
      </Loaded>
    </Drawer>
  )
}

type Texts = ReturnType<typeof useAdminTexts>['moneyRules']['gateways']

function factsOf({ webhookUrl, capabilities, mode }: Gateway, texts: Texts) {
  const can = (['chargeSaved', 'disputes', 'portal'] as const).filter((it) => capabilities?.[it])
  const words = can.map((it) => texts.can[it])
  if (capabilities?.refund === 'full-and-partial') words.push(texts.can.refund)
  return [
    [texts.mode, texts.modes[mode]],
    ...(words.length > 0 ? ([['', words.join(' · ')]] as const) : []),
    ...(capabilities?.webhook === 'none'
      ? []
      : ([
          [texts.webhookUrl, <Copy key="url" value={webhookUrl} label={texts.webhookUrl} />],
        ] as const)),
  ] as const
}

function Removal({ gateway, close }: { gateway: Gateway; close: () => void }) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.gateways
  return (
    <div>
      <RemoveButton
        verb={texts.remove}
        title={texts.removeTitle(gateway.name)}
        call={() =>
          client.DELETE('/v1/admin/gateways/{id}', { params: { path: { id: gateway.id } } })
        }
        changes={[['gateways'], ['admin', 'readiness']]}
        told={texts.removed}
        done={close}
      >
        {texts.removeText}
      </RemoveButton>
    </div>
  )
}
