import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { Button, Drawer, Empty, I, Loaded, Notice, told, useChange } from '../../../ui/index.ts'
import { bodyOf, OptionsAfter, type Wanted } from '../size-options.tsx'
import { SizeChoice, Terms } from '../upgrade.tsx'
import { type AdminService, serviceOptions, upgradeTargets } from './reads.ts'

type Props = {
  readonly service: AdminService
  readonly opened: boolean
  readonly close: () => void
}

/** Another size for the server of a customer: first what it costs line by line, then the change. */
export function ChangePlan({ service: { id, name }, opened, close }: Props) {
  const { services } = useTexts()
  const [wanted, want] = useState<Wanted | null>(null)
  const targets = useQuery({ ...upgradeTargets(id), enabled: opened })
  return (
    <Drawer opened={opened} onClose={close} title={services.upgradeTitle(name)}>
      <Loaded query={targets} waiting="…">
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={I.Server2} title={services.noTarget} />
          ) : (
            <SizeChoice
              {...{ targets: data, wanted, want }}
              optionsOn={(planId) => serviceOptions(id, planId)}
            >
              {(chosen) => (
                <Change key={JSON.stringify(chosen)} {...{ id, name, wanted: chosen, close }} />
              )}
            </SizeChoice>
          )
        }
      </Loaded>
    </Drawer>
  )
}

type ChangeProps = {
  readonly id: string
  readonly name: string
  readonly wanted: Wanted
  readonly close: () => void
}

function Change({ id, name, wanted, close }: ChangeProps) {
  const { servers } = useAdminTexts()
  const { services } = useTexts()
  const may = useMay()
  const navigate = useNavigate()
  const params = { path: { id } }
  const preview = useQuery({
    ...read(['admin', 'services', id, 'upgrade', wanted], (signal) => {
      const body = { ...bodyOf(wanted), preview: true }
      return client.POST('/v1/admin/services/{id}/upgrade', { params, body, signal })
    }),
    staleTime: 0,
    retry: false,
  })
  const change = useChange(
    (quote: string | null, intent) => {
      const body = { ...bodyOf(wanted), ...(quote !== null && { quote }) }
      return client.POST('/v1/admin/services/{id}/upgrade', { params, body, ...intent })
    },
    {
      changes: [['admin']],
      done: ({ invoice }) => {
        close()
        told(invoice ? servers.planWaits : services.changing, name)
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
          <OptionsAfter options={terms.options} />
          <Terms {...terms} />
          {terms.effect === 'on_payment' ? <p className="dim">{servers.planPayment}</p> : null}
          <Button
            fullWidth
            disabled={terms.fits === false}
            loading={change.isPending}
            onClick={() => change.mutate(terms.quote)}
          >
            {servers.changePlan}
          </Button>
        </div>
      )}
    </Loaded>
  )
}
