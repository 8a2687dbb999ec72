<?xml version="1.0" encoding="UTF-8"?>
<!-- Licensed under the Apache License, Version 2.0; see LICENSE at the top of this release. -->
<!-- Shows a configuration file as a table when a browser opens it. -->
<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform" version="1.0">
  <xsl:output method="html"/>
  <xsl:template match="/configuration">
    <html>
      <body>
        <table border="1">
          <tr><th>name</th><th>value</th><th>final</th></tr>
          <xsl:for-each select="property">
            <tr>
              <td><xsl:value-of select="name"/></td>
              <td><xsl:value-of select="value"/></td>
              <td><xsl:value-of select="final"/></td>
            </tr>
          </xsl:for-each>
        </table>
      </body>
    </html>
  </xsl:template>
</xsl:stylesheet>
