# SPDX-License-Identifier: Apache-2.0
import unittest
import urllib.error
import urllib.request

from mammoth_frameworks import site


class SiteTest(unittest.TestCase):
    def test_has_pages_of_all_kinds(self):
        kinds = {site.page(host, number)[:2] for host in range(site.HOSTS) for number in range(site.PAGES + 2)}
        self.assertEqual(kinds, {(200, "text/html"), (200, "text/plain"), (301, "text/html"), (404, "text/plain")})

    def test_some_pages_have_two_names(self):
        texts = [site.page(host, number)[2] for host in range(site.HOSTS) for number in range(site.PAGES)]
        self.assertLess(len(set(texts)), len(texts))

    def test_answers_for_all_hosts(self):
        with site.Site() as served:
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://127.0.0.1:{served.port}"}))
            with opener.open("http://www3.example.org/0.html", timeout=10) as answer:
                self.assertEqual(answer.read().decode(), site.page(3, 0)[2])
            with self.assertRaises(urllib.error.HTTPError) as none:
                opener.open(f"http://www3.example.org/{site.PAGES}.html", timeout=10)
            none.exception.close()
