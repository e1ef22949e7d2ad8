// Language and colours, chosen once and kept in this browser.

import { useEffect, useState, type ReactNode } from "react"
import { I18nProvider } from "react-aria-components"
import { Segments } from "../parts/widgets/choice.tsx"
import { isText, keep, readKept } from "../parts/browser/kept.ts"
import {
  catalogues,
  LanguageContext,
  locales,
  preferredLanguage,
  useStrings,
  type Language,
} from "../strings/use-strings.ts"

type Theme = "auto" | "light" | "dark"

/** What can be set, and how. */
export interface Settings {
  readonly language: Language
  readonly setLanguage: (language: Language) => void
  readonly theme: Theme
  readonly setTheme: (theme: Theme) => void
}

/** The settings of this browser. */
export function useSettings(): Settings {
  const [language, setLanguage] = useState<Language>(
    () => keptLanguage() ?? preferredLanguage(navigator.languages),
  )
  const [theme, setTheme] = useState<Theme>(() => keptTheme())
  useEffect(() => {
    document.documentElement.lang = locales[language]
  }, [language])
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme
  }, [theme])
  return {
    language,
    setLanguage: (next) => {
      keep("language", next)
      setLanguage(next)
    },
    theme,
    setTheme: (next) => {
      keep("theme", next)
      setTheme(next)
    },
  }
}

/** Provides the language to all components below. */
export function SettingsProvider({
  settings,
  children,
}: {
  readonly settings: Settings
  readonly children: ReactNode
}) {
  return (
    <I18nProvider locale={locales[settings.language]}>
      <LanguageContext value={settings.language}>{children}</LanguageContext>
    </I18nProvider>
  )
}

/** The two switches. */
export function SettingsSwitches({ settings }: { readonly settings: Settings }) {
  const { app } = useStrings()
  const { language, setLanguage, theme, setTheme } = settings
  return (
    <div className="row">
      <Segments
        label={app.language}
        value={language}
        onChange={setLanguage}
        options={[
          { id: "en", text: "EN" },
          { id: "zh", text: "中文" },
        ]}
      />
      <Segments
        label={app.theme}
        value={theme}
        onChange={setTheme}
        options={[
          { id: "auto", text: app.themes.auto },
          { id: "light", text: app.themes.light },
          { id: "dark", text: app.themes.dark },
        ]}
      />
    </div>
  )
}

function keptLanguage(): Language | undefined {
  const kept = readKept("language", isText)
  return kept !== undefined && kept in catalogues ? (kept === "zh" ? "zh" : "en") : undefined
}

function keptTheme(): Theme {
  const kept = readKept("theme", isText)
  return kept === "light" || kept === "dark" ? kept : "auto"
}
