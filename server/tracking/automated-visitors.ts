/** Raised whenever a row is added or goes, so that a change of judgement is seen in review. */
export const AUTOMATED_VISITORS_VERSION = 2;

type VisitorKind = 'image proxy' | 'scanner' | 'preview' | 'crawler' | 'program';

/**
 * Who fetches pixels and follows links without a person having asked for it, by the User-Agent header: what it is, who, and
 * what its header has in it. Products that people read mail with (Outlook, Thunderbird, Apple Mail without its proxy) must not
 * match any row, and neither must proxies that fetch when somebody opens the mail (GoogleImageProxy, YahooMailProxy).
 */
export const AUTOMATED_VISITORS: readonly (readonly [kind: VisitorKind, who: string, pattern: RegExp])[] = [
  // What Gmail has been seen to fetch ahead with: a browser that never existed.
  [
    'image proxy',
    'Gmail, ahead of time',
    /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/,
  ],
  // Mail Privacy Protection fetches everything when it arrives, and says no more than this.
  ['image proxy', 'Apple Mail', /^Mozilla\/5\.0$/],
  ['image proxy', 'DuckDuckGo', /DuckDuckGo-Email|DuckDuckBot/i],
  ['image proxy', 'Fastmail', /FastmailImageProxy/i],
  ['image proxy', 'Proton', /ProtonMail-?Image/i],
  ['scanner', 'Barracuda', /Barracuda/i],
  ['scanner', 'Mimecast', /Mimecast/i],
  ['scanner', 'Proofpoint', /Proofpoint|urldefense/i],
  ['scanner', 'Microsoft Defender', /SafeLinks|Microsoft-?Defender|Exchange Online Protection/i],
  ['scanner', 'Google', /Google-Safety|GoogleOther|Google-Read-Aloud/i],
  ['scanner', 'Cisco', /IronPort|Cisco[- ](?:Secure|Umbrella|Talos)/i],
  ['scanner', 'Sophos', /Sophos/i],
  ['scanner', 'Symantec', /Symantec|MessageLabs|BlueCoat/i],
  ['scanner', 'Trend Micro', /Trend ?Micro/i],
  ['scanner', 'Trellix and FireEye', /FireEye|Trellix/i],
  ['scanner', 'Forcepoint', /Forcepoint|Websense/i],
  ['scanner', 'Fortinet', /FortiGuard|FortiMail|FortiSandbox/i],
  ['scanner', 'Check Point', /CheckPoint|ZoneAlarm/i],
  ['scanner', 'Palo Alto', /Palo ?Alto|Expanse/i],
  ['scanner', 'Cloudmark and Vade', /Cloudmark|VadeSecure/i],
  ['scanner', 'Hornetsecurity', /Hornetsecurity/i],
  ['scanner', 'MailScanner', /MailScanner/i],
  ['scanner', 'urlscan.io', /urlscan/i],
  ['scanner', 'VirusTotal', /VirusTotal/i],
  ['preview', 'Facebook', /facebookexternalhit|Facebot|meta-externalagent/i],
  ['preview', 'WhatsApp', /^WhatsApp/i],
  ['preview', 'Skype and Teams', /SkypeUriPreview/i],
  ['preview', 'Bing', /BingPreview/i],
  ['preview', 'Google', /Google-PageRenderer|Google Web Preview|FeedFetcher-Google|Mediapartners-Google/i],
  ['preview', 'Iframely and Embedly', /Iframely|Embedly/i],
  // A name that ends in bot, or says what it does: Googlebot, Slackbot-LinkExpanding, Bytespider. Cubot makes telephones.
  [
    'crawler',
    'any',
    /(?<!\bcu)bot(?:s?\b|[-/_])|crawler|spider|\bcrawl|slurp|archiver|validator|link-?check|monitoring/i,
  ],
  [
    'program',
    'headless browsers',
    /HeadlessChrome|PhantomJS|Puppeteer|Playwright|Selenium|Electron\/.*Headless/i,
  ],
  ['program', 'command line', /^(?:curl|Wget|HTTPie|aria2|lwp-|libwww)/i],
  ['program', 'Python', /python-requests|python-urllib|Python\/\d|aiohttp|httpx|Scrapy/i],
  ['program', 'Go', /Go-http-client|^Go \d/i],
  ['program', 'Java', /^Java\/|Apache-HttpClient|Jakarta|Jersey\//i],
  ['program', 'JavaScript', /^(?:node|undici|axios|got|node-fetch|superagent)\b/i],
  ['program', 'PHP, Ruby, Perl, Rust', /^PHP|GuzzleHttp|^Ruby|Faraday|libwww-perl|^reqwest/i],
  ['program', 'Windows services', /Microsoft BITS|WindowsPowerShell|WinHttp/i],
];
