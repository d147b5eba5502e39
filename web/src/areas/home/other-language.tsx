import { type Locale, languageName } from '@moorage/languages'
import { useLocale, useTexts } from '../../texts/index.tsx'
import { Button, Notice } from '../../ui/index.ts'
import { chooseLanguage } from '../account/language.ts'

/** Offers to set the language of the account to that of the screen. */
export function OtherLanguage({ own }: { own: Locale }) {
  const { home, common } = useTexts()
  const locale = useLocale()
  return (
    <Notice
      tone="waiting"
      title={home.otherLanguage(languageName(own))}
      action={
        <Button
          size="xs"
          variant="default"
          onClick={() => void chooseLanguage(locale, common.refused)}
        >
          {home.speakEverywhere(languageName(locale))}
        </Button>
      }
    />
  )
}
