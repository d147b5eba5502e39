import { client } from '../../../../api/client.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { ActDialog, Textarea, TextInput, told } from '../../../../ui/index.ts'
import type { Person } from '../reads.ts'

type DialogProps = {
  readonly person: Person
  readonly opened: boolean
  readonly close: () => void
}

/** Writes a mail to one person. */
export function SendMail({ person: { id, name, email }, opened, close }: DialogProps) {
  const { people } = useAdminTexts()
  return (
    <ActDialog
      {...{ opened, close }}
      title={people.mailTitle(name)}
      consequence={people.mailText(email)}
      verb={people.sendMail}
      initial={{ subject: '', text: '' }}
      isIncomplete={({ subject, text }) => subject.trim() === '' || text.trim() === ''}
      call={({ subject, text }, intent) =>
        client.POST('/v1/admin/users/{id}/mails', {
          params: { path: { id } },
          body: { subject: subject.trim(), text },
          ...intent,
        })
      }
      changes={[
        ['admin', 'people', id],
        ['mails', 'list'],
      ]}
      done={({ state }) =>
        told(
          state === 'kept' || state === 'undeliverable' ? people.mailKept[state] : people.mailSent,
        )
      }
    >
      {({ text }) => (
        <>
          <TextInput {...text('subject')} label={people.mailSubject} maxLength={150} />
          <Textarea
            {...text('text')}
            label={people.mailBody}
            description={people.mailBodyHint}
            autosize
            minRows={6}
            maxRows={14}
            maxLength={5000}
          />
        </>
      )}
    </ActDialog>
  )
}
