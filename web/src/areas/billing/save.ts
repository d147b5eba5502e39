import { saveFile } from '../../api/downloads.ts'
import { useTexts } from '../../texts/index.tsx'
import { refused, told } from '../../ui/index.ts'

/** Saves a document; says so where it is still being made or cannot be had. */
export function useSave() {
  const { billing, common } = useTexts()
  return (name: string, call: Parameters<typeof saveFile>[1]) => {
    saveFile(name, call)
      .then((isSaved) => {
        if (!isSaved) told(billing.beingMade, billing.beingMadeText)
      })
      .catch((error: Error) => refused(common.refused, error.message))
  }
}
