/** How a rendered screenshot looks. */
export interface Look {
  readonly dark: boolean;
  readonly font: string;
  readonly sizePx: number;
  readonly scale: 1 | 2;
  readonly chrome: 'plain' | 'editor' | 'terminal' | 'readme';
  readonly language: 'json' | 'toml' | 'yaml' | 'shell';
  readonly lineHeight?: number;
  readonly palette?: 'solarized' | 'monokai';
  /** A line with the background of a selection, and a text cursor at its end. */
  readonly selected?: number;
  /** A list of files to the left of the code. */
  readonly sidebar?: boolean;
  readonly image?: 'png' | 'jpg';
}

interface Colours {
  readonly back: string;
  readonly fore: string;
  readonly name: string;
  readonly text: string;
  readonly dim: string;
  readonly brackets: readonly string[];
}

const DARK: Colours = {
  back: '#1f1f1f',
  fore: '#cccccc',
  name: '#9cdcfe',
  text: '#ce9178',
  dim: '#6e7681',
  brackets: ['#ffd700', '#da70d6', '#179fff'],
};
const LIGHT: Colours = {
  back: '#ffffff',
  fore: '#3b3b3b',
  name: '#0451a5',
  text: '#a31515',
  dim: '#8a919a',
  brackets: ['#0431fa', '#319331', '#7b3814'],
};

const SOLARIZED: Colours = {
  back: '#fdf6e3',
  fore: '#657b83',
  name: '#268bd2',
  text: '#2aa198',
  dim: '#93a1a1',
  brackets: ['#cb4b16', '#6c71c4', '#859900'],
};
const MONOKAI: Colours = {
  back: '#272822',
  fore: '#f8f8f2',
  name: '#f92672',
  text: '#e6db74',
  dim: '#90908a',
  brackets: ['#f8f8f2', '#f8f8f2', '#f8f8f2'],
};

/** One page of HTML that shows the text as an editor, a terminal or a README would. */
export function pageOf(text: string, look: Look): string {
  const colours = coloursOf(look);
  const lines = text.split('\n');
  const body = lines
    .map((line, index) => {
      const number = look.chrome === 'editor' ? `<i>${index + 1}</i>` : '';
      const guides = look.chrome === 'editor' ? guidesOf(line) : '';
      return `<div class="line${index === 2 && look.chrome === 'editor' ? ' now' : ''}${index === look.selected ? ' selected' : ''}">${number}<b>${guides}${paint(line, look, colours)}</b></div>`;
    })
    .join('');
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: ${colours.back}; color: ${colours.fore}; font: ${look.sizePx}px/${look.lineHeight ?? 1.5} '${look.font}'; }
    .line { white-space: pre; display: flex } .line b { font-weight: normal; position: relative; flex: 1 }
    .line i { font-style: normal; color: ${colours.dim}; width: 3ch; text-align: right; margin-right: 2.5ch }
    .now { box-shadow: inset 0 0 0 1px ${look.dark ? '#333' : '#e4e4e4'} }
    u { position: absolute; top: 0; bottom: 0; width: 1px; background: ${look.dark ? '#404040' : '#d3d3d3'} }
    .selected b { background: ${look.dark ? '#264f78' : '#add6ff'} } .selected b::after { content: ''; border-left: 2px solid ${colours.fore} }
    .split { display: flex } .side { font: 13px/1.7 'Liberation Sans'; padding: 8px 40px 0 12px }
    .tabs { background: ${look.dark ? '#181818' : '#f3f3f3'}; font: 13px 'Liberation Sans'; padding: 8px 12px }
    .code { padding: 14px } .editor .code { padding: 6px 8px }
    .readme { font: 16px/1.5 'Liberation Sans'; padding: 18px } .readme .code { font: ${look.sizePx}px/1.45 '${look.font}'; background: #f6f8fa; border-radius: 6px; margin: 12px 0 }
    </style><body class="${look.chrome}">${frame(look, `<div class="code">${body}</div>`)}`;
}

/** The window in CSS pixels that holds the text without scrolling. */
export function windowOf(text: string, look: Look): { readonly width: number; readonly height: number } {
  const lines = text.split('\n');
  const columns = Math.max(...lines.map((line) => line.length)) + (look.chrome === 'editor' ? 8 : 0);
  const extra = look.chrome === 'readme' ? 190 : look.chrome === 'plain' ? 30 : 60;
  const side = look.sidebar === true ? 180 : 0;
  return {
    width: side + Math.max(420, Math.ceil(columns * look.sizePx * 0.63) + 60),
    height: Math.ceil(lines.length * look.sizePx * (look.lineHeight ?? 1.5)) + extra,
  };
}

function frame(look: Look, code: string): string {
  if (look.chrome === 'plain' || look.chrome === 'terminal') return code;
  if (look.chrome === 'readme') {
    return `<h3>Installation</h3><p>Add this to your configuration file:</p>${code}<p>Then restart the app.</p>`;
  }
  if (look.sidebar === true) {
    const files = ['EXPLORER', 'src', 'docs', 'mcp.json', 'package.json', 'README.md'];
    const list = files.map((name) => `<div>${name}</div>`).join('');
    return `<div class="split"><div class="side">${list}</div>${code}</div>`;
  }
  return `<div class="tabs">${look.language === 'json' ? 'mcp.json' : `config.${look.language}`} &nbsp; ✕</div>${code}`;
}

function coloursOf({ palette, dark }: Look): Colours {
  if (palette === 'solarized') return SOLARIZED;
  if (palette === 'monokai') return MONOKAI;
  return dark ? DARK : LIGHT;
}

function guidesOf(line: string): string {
  const depth = /^ */.exec(line)?.[0].length ?? 0;
  return Array.from(
    { length: Math.floor(depth / 2) },
    (_, index) => `<u style="left:${index * 2}ch"></u>`,
  ).join('');
}

let bracketDepth = 0;

/** Syntax colours: names, texts, brackets by depth, the rest. */
function paint(line: string, look: Look, colours: Colours): string {
  const span = (colour: string, text: string): string =>
    `<span style="color:${colour}">${escape(text)}</span>`;
  if (look.language === 'shell')
    return line.replace(
      /^(\$ ?)?(\S+)/,
      (_all, prompt: string | undefined, word: string) =>
        `${span(colours.dim, prompt ?? '')}${span(colours.name, word)}`,
    );
  if (look.language === 'yaml') {
    const parts = /^(\s*(?:- )?)([\w-]+)(:)(.*)$/.exec(line);
    if (parts)
      return `${parts[1]}${span(colours.name, parts[2] ?? '')}${span(colours.fore, ':')}${span(colours.text, parts[4] ?? '')}`;
    return span(colours.text, line);
  }
  let out = '';
  for (const [token] of line.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]|[^"{}[\]]+/g)) {
    if (token.startsWith('"'))
      out += token.endsWith(':')
        ? span(colours.name, token.slice(0, -1)) + span(colours.fore, ':')
        : span(colours.text, token);
    else if ('{['.includes(token)) out += span(colours.brackets[bracketDepth++ % 3] ?? '', token);
    else if ('}]'.includes(token)) {
      bracketDepth = Math.max(0, bracketDepth - 1);
      out += span(colours.brackets[bracketDepth % 3] ?? '', token);
    } else out += escape(token);
  }
  return out;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
