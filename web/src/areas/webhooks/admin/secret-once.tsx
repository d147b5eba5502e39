import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, Copy, Modal } from '../../../ui/index.ts'

type Props = { readonly secret: string | null; readonly close: () => void }

/** A secret that is shown only once. */
export function SecretOnce({ secret, close }: Props) {
  const { integrations: texts } = useAdminTexts()
  return (
    <Modal
      opened={secret !== null}
      onClose={close}
      closeOnClickOutside={false}
      title={texts.secretTitle}
    >
      <div className="stack">
        <p className="dim">{texts.secretOnce}</p>
        <Copy big value={secret ?? ''} label={texts.secret} />
        <div className="row ends">
          <Button onClick={close}>{texts.done}</Button>
        </div>
      </div>
    </Modal>
  )
}
