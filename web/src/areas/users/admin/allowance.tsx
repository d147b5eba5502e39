import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Facts,
  FormDialog,
  Loaded,
  NumberField,
  told,
  useFormats,
} from '../../../ui/index.ts'
import { allowanceOf, type Person } from './reads.ts'

type Allowance = components['schemas']['OrderAllowance']

const LIMITS = ['openServices', 'openOrders', 'openOrdersPerProduct', 'heldUnits'] as const

/** What the person may have before they pay, and a form to change it. */
export function AllowanceCard({ person }: { person: Person }) {
  const { people } = useAdminTexts()
  const { date } = useFormats()
  const mayWrite = useMay()('users:allowance') && person.status !== 'deleted'
  const [isEditing, edit] = useState(false)
  const query = useQuery(allowanceOf(person.id))
  return (
    <Card
      title={people.allowance}
      right={
        mayWrite && query.data ? (
          <Button size="compact-sm" variant="default" onClick={() => edit(true)}>
            {people.changeLimits}
          </Button>
        ) : null
      }
    >
      <Loaded query={query} waiting={null}>
        {(allowance) => (
          <>
            <Facts
              rows={LIMITS.map((name) => {
                const { used, limit, ownLimit } = allowance[name]
                const shown = people.used(used, limit)
                return [people[name], ownLimit === null ? shown : `${shown} · ${people.ownLimit}`]
              })}
            />
            {allowance.changedAt ? (
              <p className="sub below">{people.limitsChanged(date(allowance.changedAt))}</p>
            ) : null}
            {isEditing ? <Limits {...{ person, allowance }} close={() => edit(false)} /> : null}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function fieldsOf(allowance: Allowance) {
  const { openServices, openOrders, openOrdersPerProduct, heldUnits } = allowance
  return {
    openServices: openServices.ownLimit,
    openOrders: openOrders.ownLimit,
    openOrdersPerProduct: openOrdersPerProduct.ownLimit,
    heldUnits: heldUnits.ownLimit,
  }
}

type LimitsProps = {
  readonly person: Person
  readonly allowance: Allowance
  readonly close: () => void
}

function Limits({ person: { id, name }, allowance, close }: LimitsProps) {
  const { people } = useAdminTexts()
  const params = { path: { id } }
  const form = useForm({
    name: `allowance:${id}`,
    saved: fieldsOf(allowance),
    call: (body, intent) =>
      client.PATCH('/v1/admin/users/{id}/allowance', { params, body, ...intent }),
    edits: { read: () => client.GET('/v1/admin/users/{id}/allowance', { params }), fieldsOf },
    changes: [
      ['admin', 'allowance', id],
      ['admin', 'people', id],
    ],
    done: () => {
      told(people.limitsSaved)
      close()
    },
  })
  return (
    <FormDialog {...{ form, close }} title={people.limitsTitle(name)} save={people.changeLimits}>
      <p className="dim">{people.limitsText}</p>
      {LIMITS.map((limit) => (
        <NumberField
          key={limit}
          name={limit}
          label={people[limit]}
          placeholder={people.shopLimit}
          value={form.fields[limit]}
          error={form.errors[limit]}
          change={(value) => form.set({ [limit]: value })}
        />
      ))}
    </FormDialog>
  )
}
