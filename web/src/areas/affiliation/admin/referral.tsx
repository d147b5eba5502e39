import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActDialog,
  Button,
  Card,
  Facts,
  Link,
  Loaded,
  SegmentedControl,
  TextInput,
  useFormats,
} from '../../../ui/index.ts'
import { affiliatesByCode, referral } from './reads.ts'

type Customer = { readonly id: string; readonly name: string }

/** The affiliate of a customer, with the last correction; for staff who may see affiliates. */
export function ReferralCard({ customer, isGone }: { customer: Customer; isGone: boolean }) {
  const { affiliates } = useAdminTexts()
  const may = useMay()
  if (!may('affiliation:read')) return null
  return (
    <Card
      title={affiliates.affiliate}
      right={may('affiliation:write') && !isGone ? <CorrectButton customer={customer} /> : null}
    >
      <Referral id={customer.id} />
    </Card>
  )
}

function CorrectButton({ customer }: { customer: Customer }) {
  const { affiliates } = useAdminTexts()
  const [opened, open] = useState(false)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => open(true)}>
        {affiliates.correct}
      </Button>
      <CorrectReferral customer={customer} opened={opened} close={() => open(false)} />
    </>
  )
}

function Referral({ id }: { id: string }) {
  const { affiliates } = useAdminTexts()
  const { date } = useFormats()
  return (
    <Loaded query={useQuery(referral(id))} waiting={null}>
      {({ affiliateId, name, code, source, refusal, since, correctedAt, reason }) => (
        <div className="stack s12">
          {affiliateId && source && since ? (
            <Facts
              rows={[
                [
                  affiliates.name,
                  <Link key="name" to="/admin/affiliates/$id" params={{ id: affiliateId }}>
                    {name}
                  </Link>,
                ],
                [
                  affiliates.code,
                  <span key="code" className="mono">
                    {code}
                  </span>,
                ],
                [affiliates.referredBy, affiliates.source[source]],
                [affiliates.date, date(since)],
                ...(refusal
                  ? ([[affiliates.statusHead, affiliates.refusal[refusal]]] as const)
                  : []),
              ]}
            />
          ) : (
            <p className="dim">{affiliates.noAffiliate}</p>
          )}
          {correctedAt ? (
            <p className="sub any">{affiliates.correctedOn(date(correctedAt), reason)}</p>
          ) : null}
        </div>
      )}
    </Loaded>
  )
}

type DialogProps = {
  readonly customer: Customer
  readonly opened: boolean
  readonly close: () => void
}

const CHOICES = ['other', 'none'] as const
type Choice = (typeof CHOICES)[number]

/** Sets or removes the affiliate of a customer, for future payments. */
export function CorrectReferral({ customer: { id, name }, opened, close }: DialogProps) {
  const { affiliates } = useAdminTexts()
  const [code, type] = useState('')
  const wanted = code.trim().toUpperCase()
  const query = useQuery({ ...affiliatesByCode(wanted), enabled: opened && wanted.length >= 4 })
  const found = wanted.length >= 4 ? query.data?.data[0] : undefined
  const isUnknown = wanted.length >= 4 && query.data?.data.length === 0
  return (
    <ActDialog
      {...{ opened, close }}
      title={affiliates.correctTitle(name)}
      consequence={affiliates.correctText}
      verb={affiliates.correctVerb}
      initial={{ choice: 'other' as Choice, reason: '' }}
      isIncomplete={({ choice, reason }) =>
        reason.trim() === '' || (choice === 'other' && found === undefined)
      }
      call={({ choice, reason }, intent) =>
        client.PUT('/v1/admin/users/{id}/referral', {
          params: { path: { id } },
          body: {
            affiliateId: choice === 'other' ? (found?.id ?? null) : null,
            reason: reason.trim(),
          },
          ...intent,
        })
      }
      changes={[
        ['admin', 'referrals'],
        ['admin', 'affiliates'],
        ['admin', 'people', id],
      ]}
      done={() => type('')}
      told={affiliates.correctedNow}
    >
      {({ fields, set, text }) => (
        <>
          <SegmentedControl
            aria-label={affiliates.affiliate}
            value={fields.choice}
            data={CHOICES.map((value) => ({ value, label: affiliates.correctChoices[value] }))}
            onChange={(choice) => set({ choice: choice as Choice })}
          />
          {fields.choice === 'other' ? (
            <TextInput
              label={affiliates.codeOf}
              value={code}
              onChange={(event) => type(event.currentTarget.value)}
              description={found ? `${found.name} · ${found.email}` : affiliates.codeHint}
              error={isUnknown ? affiliates.codeUnknown : null}
              autoComplete="off"
              maxLength={64}
              required
            />
          ) : null}
          <TextInput
            {...text('reason')}
            label={affiliates.reason}
            description={affiliates.reasonKept}
            maxLength={500}
            required
          />
        </>
      )}
    </ActDialog>
  )
}
