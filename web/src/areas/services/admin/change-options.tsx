import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Drawer,
  Loaded,
  Notice,
  Switch,
  TextInput,
  told,
  useChange,
} from '../../../ui/index.ts'
import { OptionFields, type Wish } from '../option-fields.tsx'
import { Later } from '../options.tsx'
import { Terms } from '../upgrade.tsx'
import { type AdminService, serviceOptions } from './reads.ts'

type Props = {
  readonly service: AdminService
  readonly opened: boolean
  readonly close: () => void
}

/** Other options for the service of a customer: first what they cost line by line, then the change. */
export function ChangeOptions({ service: { id, name }, opened, close }: Props) {
  const { services } = useTexts()
  const { servers } = useAdminTexts()
  const [wish, want] = useState<Wish>({})
  const [waive, setWaive] = useState(false)
  const [reason, setReason] = useState('')
  const options = useQuery({ ...serviceOptions(id), enabled: opened })
  const how = { waive, ...(reason.trim() && { reason: reason.trim() }) }
  return (
    <Drawer opened={opened} onClose={close} title={services.optionsTitle(name)}>
      <Loaded query={options} waiting="…">
        {(own) => (
          <div className="stack">
            <OptionFields of={own} wish={wish} change={want} />
            <Switch
              label={servers.waive}
              description={servers.waiveText}
              checked={waive}
              onChange={(event) => setWaive(event.currentTarget.checked)}
            />
            {waive ? (
              <TextInput
                required
                label={servers.waiveReason}
                value={reason}
                maxLength={500}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            ) : null}
            {Object.keys(wish).length > 0 ? (
              <div className="drawer-foot" aria-live="polite">
                <Change
                  key={JSON.stringify([wish, waive])}
                  {...{ id, name, wish, how, close }}
                  names={(key) => own.options.find((it) => it.key === key)?.name ?? key}
                />
              </div>
            ) : null}
          </div>
        )}
      </Loaded>
    </Drawer>
  )
}

type ChangeProps = {
  readonly id: string
  readonly name: string
  readonly wish: Wish
  readonly how: { readonly waive: boolean; readonly reason?: string }
  readonly names: (key: string) => string
  readonly close: () => void
}

function Change({ id, name, wish, how, names, close }: ChangeProps) {
  const { servers } = useAdminTexts()
  const { services } = useTexts()
  const may = useMay()
  const navigate = useNavigate()
  const params = { path: { id } }
  const { waive, reason } = how
  const preview = useQuery({
    ...read(['admin', 'services', id, 'options', wish, waive], (signal) => {
      const body = { options: wish, waive, preview: true }
      return client.POST('/v1/admin/services/{id}/options', { params, body, signal })
    }),
    staleTime: 0,
    retry: false,
  })
  const change = useChange(
    (quote: string | null, intent) => {
      const body = { options: wish, ...how, ...(quote !== null && { quote }) }
      return client.POST('/v1/admin/services/{id}/options', { params, body, ...intent })
    },
    {
      changes: [['admin']],
      done: ({ invoice }) => {
        close()
        told(invoice ? servers.planWaits : services.optionsChanging, name)
        if (invoice && may('invoices:read')) {
          void navigate({ to: '/admin/invoices/$id', params: { id: invoice.id } })
        }
      },
    },
  )
  if (preview.error) return <Notice tone="attention" title={preview.error.message} />
  return (
    <Loaded query={preview} waiting="…">
      {(terms) => (
        <div className="stack s12">
          <Later scheduled={terms.scheduled} names={names} />
          <Terms {...terms} effects={services.optionEffects} />
          <Button
            fullWidth
            disabled={terms.fits === false || (waive && reason === undefined)}
            loading={change.isPending}
            onClick={() => change.mutate(terms.quote)}
          >
            {servers.changeOptions}
          </Button>
        </div>
      )}
    </Loaded>
  )
}
