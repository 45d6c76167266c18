// The page while it is served: takes new data as files are saved, opens places in the editor, prints.
// `duckpressServer` comes before it: the key for what acts, and whether there is an editor.
"use strict";
(() => {
  const page = typeof duckpress === "undefined" ? null : duckpress; // none, where the game has never been shown yet
  let shell = null;

  const news = new EventSource("events");
  news.onmessage = async ({ data }) => {
    const { page: now, made, broken } = JSON.parse(data);
    if (page ? now !== (shell ??= now) : !broken || now !== (shell ??= now)) {
      location.reload();
      return;
    }
    if (!page) return;
    document.body.classList.remove("apart");
    await page.reload(Object.keys(made).filter(name => page.made?.[name] !== made[name]));
    document.dispatchEvent(new CustomEvent("duckpress-shown"));
  };
  news.onerror = () => {
    document.body.classList.add("apart");
    page?.tell(page.say("apart"));
  };
  if (!page) return;

  async function act(name, body) {
    const answer = await fetch(name, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Duckpress-Key": duckpressServer.key },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  async function open(at) {
    try {
      const { address } = await act("open", { at });
      if (address) location.href = address;
    } catch (error) {
      page.tell(error.message);
    }
  }

  page.live = {
    open: duckpressServer.opens ? open : undefined,
    async ask(kind, options = {}) {
      const told = await (await fetch(`ask/${kind}.json?${new URLSearchParams(options)}`)).json();
      if (told === null) throw new Error(kind);
      return told;
    },
    // Build what was chosen, by the names of the command line: { piece: [...], paper: [...], backs, ink, printer, lang };
    // promises what the build tells. Its files are at `printed/<name>`.
    print: choices => act("print", choices),
    actions: [[page.say("print"), () => page.print()]],
  };
})();
