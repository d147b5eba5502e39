import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, Card, Drawer, Empty, I, Link, Listed, Page, Tag } from '../../../ui/index.ts'
import { BotsCard, MappingsCard } from '../../bot/admin/index.ts'
import { ClientsCard } from '../../oidc/admin/index.ts'
import { EndpointForm, SecretOnce } from './endpoint-form.tsx'
import { ENDPOINT_TONES, stateOf } from './reads.ts'

/** Webhooks, applications and bots: each role sees its own. */
export function Integrations() {
  const { integrations: texts } = useAdminTexts()
  const may = useMay()
  return (
    <Page title={texts.title} sub={texts.sub}>
      <div className="stack s24">
        {may('webhooks:read') ? <WebhooksCard /> : null}
        {may('oauth:read') ? <ClientsCard /> : null}
        {may('bot:read') ? <BotsCard /> : null}
        {may('bot:read') ? <MappingsCard /> : null}
      </div>
    </Page>
  )
}

function WebhooksCard() {
  const { integrations: texts } = useAdminTexts()
  const mayWrite = useMay()('webhooks:write')
  const [isAdding, add] = useState(false)
  const [secret, show] = useState<string | null>(null)
  const list = useList(['webhooks', 'list'], (where, signal) =>
    client.GET('/v1/admin/webhook-endpoints', { params: { query: where }, signal }),
  )
  return (
    <Card
      title={texts.webhooks}
      right={
        mayWrite ? (
          <Button
            size="compact-sm"
            leftSection={<I.Plus size={15} aria-hidden />}
            onClick={() => add(true)}
          >
            {texts.add}
          </Button>
        ) : null
      }
    >
      <p className="sub">{texts.webhooksText}</p>
      <Listed list={list} empty={<Empty icon={I.Webhook} title={texts.noWebhooks} />}>
        {(rows) => (
          <ul className="methods">
            {rows.map((it) => (
              <li key={it.id}>
                <span className="grow cut">
                  <Link to="/admin/integrations/$id" params={{ id: it.id }} className="strong ink">
                    {it.url}
                  </Link>
                  <span className="sub block">
                    {it.description ?? it.events?.join(', ') ?? texts.allEvents}
                  </span>
                </span>
                <Tag tone={ENDPOINT_TONES[stateOf(it)]}>{texts.states[stateOf(it)]}</Tag>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      <Drawer opened={isAdding} onClose={() => add(false)} title={texts.add}>
        <EndpointForm
          endpoint={null}
          done={(made) => {
            add(false)
            show(made.secret)
          }}
        />
      </Drawer>
      <SecretOnce secret={secret} close={() => show(null)} />
    </Card>
  )
}
