"use strict";
// Takes the page's new content from its own server every few seconds, without losing the place that one reads.

const PERIOD = 3000;

const renew = async () => {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const name of ["header", "main", "footer"]) {
      const [old, now] = [document.querySelector(`body > ${name}`), fresh.querySelector(`body > ${name}`)];
      if (old && now && old.innerHTML !== now.innerHTML) old.replaceWith(document.adoptNode(now));
    }
    document.title = fresh.title;
  } catch {
    document.querySelector("body > footer").textContent = "The server does not answer; it was ended, or will be back.";
  }
  setTimeout(renew, PERIOD);
};
setTimeout(renew, PERIOD);
