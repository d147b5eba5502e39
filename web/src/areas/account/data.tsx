import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { offerFile } from '../../api/downloads.ts'
import { useList } from '../../api/lists.ts'
import { me, summary } from '../../api/reads.ts'
import { signOut } from '../../api/session.ts'
import { loadHappened } from '../../texts/happened.ts'
import { useLocale, useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Checkbox,
  I,
  Listed,
  Private,
  refused,
  TextInput,
  Timeline,
  useFormats,
} from '../../ui/index.ts'
import { AccountFrame } from './frame.tsx'
import { eventName, ownDetail } from './happened.ts'
import { type Proof, Proven } from './proof.tsx'

/** The data stored about the person: to export, to read, to delete. */
export function OwnData() {
  const { account } = useTexts()
  return (
    <AccountFrame title={account.data}>
      <Private>
        <Export />
        <History />
        <Deletion />
      </Private>
    </AccountFrame>
  )
}

function Export() {
  const { account, common } = useTexts()
  const take = useAction((_: null) => client.GET('/v1/billing/export-data'), {
    done: (data) =>
      offerFile(
        'my-data.json',
        new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }),
      ),
    failed: (error) => refused(common.refused, error.message),
  })
  return (
    <Card title={account.export}>
      <div className="row between wrap">
        <p className="sub">{account.exportText}</p>
        <Button
          variant="default"
          leftSection={<I.Download size={16} aria-hidden />}
          loading={take.isPending}
          onClick={() => take.mutate(null)}
        >
          {account.exportNow}
        </Button>
      </div>
    </Card>
  )
}

function History() {
  const { account } = useTexts()
  const { moment, money } = useFormats()
  const locale = useLocale()
  const { data: happened } = useQuery({
    queryKey: ['texts', 'happened', locale],
    queryFn: () => loadHappened(locale),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const list = useList(['timeline'], (where, signal) =>
    client.GET('/v1/users/me/timeline', { params: { query: where }, signal }),
  )
  return (
    <Card title={account.history}>
      {happened ? (
        <Listed list={list} empty={<p className="sub">{account.noHistory}</p>}>
          {(rows) => (
            <Timeline
              entries={rows.map((entry) => ({
                ...{ key: `${entry.kind} ${entry.id}`, when: moment(entry.at) },
                ...{ icon: I.History, tone: 'ended' as const },
                what: (
                  <>
                    {eventName(entry, happened) ?? happened.other}{' '}
                    <span className="dim">{ownDetail(entry, money)}</span>
                  </>
                ),
              }))}
            />
          )}
        </Listed>
      ) : null}
    </Card>
  )
}

function Deletion() {
  const { account } = useTexts()
  const { money } = useFormats()
  const person = useQuery(me).data
  const credits = (useQuery(summary).data?.credit ?? []).filter((it) => it.balanceCents > 0)
  const [isAsking, ask] = useState(false)
  const [typed, type] = useState('')
  const [forfeitCredit, forfeit] = useState(false)
  const erase = useAction(
    ({ currentPassword, code }: Proof) =>
      client.DELETE('/v1/users/me', {
        body: {
          password: currentPassword,
          ...(code && { code }),
          ...(forfeitCredit && { forfeitCredit }),
        },
      }),
    { done: () => void signOut() },
  )
  return (
    <Card title={account.deletion}>
      <div className="row between wrap">
        <p className="sub">{account.deletionText}</p>
        <Button color="red" onClick={() => ask(true)}>
          {account.deleteNow}
        </Button>
      </div>
      <Proven
        opened={isAsking}
        close={() => ask(false)}
        title={account.deleteTitle}
        action={account.deleteNow}
        isDangerous
        run={(proof) => {
          if (typed === person?.email) erase.mutate(proof)
        }}
        isRunning={erase.isPending}
        error={erase.error}
      >
        <p>{account.deletionText}</p>
        <TextInput
          label={account.deleteCheck(person?.email ?? '')}
          autoComplete="off"
          required
          pattern={person ? person.email.replaceAll(/[.+*?^$()[\]{}|\\]/g, '\\$&') : undefined}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
        />
        {credits.length > 0 ? (
          <Checkbox
            label={`${account.forfeit} (${credits.map((it) => money(it.balanceCents, it.currency)).join(', ')})`}
            required
            checked={forfeitCredit}
            onChange={(event) => forfeit(event.currentTarget.checked)}
          />
        ) : null}
      </Proven>
    </Card>
  )
}
