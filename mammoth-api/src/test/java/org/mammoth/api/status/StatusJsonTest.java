// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What other releases write and read, letter by letter. */
class StatusJsonTest {

  private final StatusJson json = new StatusJson();

  @Test
  void textsThatAreNotToldAreEmpty() throws IOException {
    NodeSnapshot.Engine engine =
        json.read("{\"engineId\":null,\"unheardOf\":[{}]}", NodeSnapshot.Engine.class);
    assertThat(engine.engineId()).isEmpty();
    assertThat(engine.role()).isEmpty();
    assertThat(engine.snapshot()).isNull();
    assertThat(engine.pid()).isZero();
  }

  @Test
  void numbersOfWhich0WouldSayTooMuchAreNotTold() throws IOException {
    assertThat(json.read("{}", NodeSnapshot.Engine.class).ageMs()).isEqualTo(-1);
    assertThat(json.read("{\"ageMs\":0}", NodeSnapshot.Engine.class).ageMs()).isZero();
    assertThat(json.read("{\"cpuMs\":7,\"disks\":null}", HostUse.class))
        .isEqualTo(new HostUse(-1, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    assertThat(json.read("{\"usedBytes\":7}", MemoryUse.Reduce.class).desiredBytes()).isEqualTo(-1);
    assertThat(json.read("{}", CacheReport.class).rounds()).isEqualTo(-1);
  }

  @Test
  void anEngineThatKnowsNoLimitMayLendAllOfItsPool() throws IOException {
    assertThat(json.read("{\"poolBytes\":9}", MemoryUse.class).poolLimitBytes()).isEqualTo(9);
    assertThat(
            json.read("{\"poolBytes\":9,\"poolLimitBytes\":0}", MemoryUse.class).poolLimitBytes())
        .isZero();
  }

  @Test
  void ordersAreAnsweredInTheFieldsTheyHad() throws IOException {
    assertThat(json.write(new OrderAnswer(List.of("e"), null, null, null, null)))
        .isEqualTo("{\"engines\":[\"e\"]}");
    assertThat(json.write(new OrderAnswer(List.of(), "k", false, true, null)))
        .isEqualTo("{\"engines\":[],\"key\":\"k\",\"on\":false,\"changed\":true}");
    // A console of an earlier release takes any reason, even null, for a refusal.
    assertThat(json.write(new OrderAnswer(null, "k", null, null, "why")))
        .isEqualTo("{\"key\":\"k\",\"reason\":\"why\"}");
    assertThat(json.read("{\"engines\":[],\"on\":true}", OrderAnswer.class).refused()).isFalse();
    assertThat(json.read("{\"reason\":\"why\"}", OrderAnswer.class).refused()).isTrue();
    assertThat(json.write(new EngineLogs(Map.of("f", "x")))).isEqualTo("{\"logs\":{\"f\":\"x\"}}");
    assertThat(json.read("{}", EngineLogs.class).logs()).isEmpty();
  }

  @Test
  void aDataSetNamesItsSuccessorToThoseWhoMayKnow() throws IOException {
    CacheDataSets.DataSet set =
        new CacheDataSets.DataSet(
            "/d",
            1,
            2,
            3,
            true,
            4,
            5,
            6,
            0.5,
            false,
            "FITS",
            new CacheDataSets.Departure("X", null));
    String text = json.write(new CacheDataSets(List.of(set), null));
    assertThat(text)
        .isEqualTo(
            "{\"dataSets\":[{\"path\":\"/d\",\"blocks\":1,\"bytes\":2,\"cachedBlocks\":3,\"complete\":true,"
                + "\"copyBytes\":4,\"accesses\":5,\"hits\":6,\"priority\":0.5,\"pinned\":false,"
                + "\"admission\":\"FITS\",\"departure\":{\"cause\":\"X\"}}],\"absent\":[]}");
    CacheDataSets.DataSet read = json.read(text, CacheDataSets.class).dataSets().get(0);
    assertThat(read.departure().by()).isEmpty();
    assertThat(json.read("{\"path\":\"/d\"}", CacheDataSets.DataSet.class).departure()).isNull();
    assertThat(json.write(json.read("{\"path\":\"/d\"}", CacheDataSets.DataSet.class)))
        .doesNotContain("departure");
  }

  @Test
  void spaceIsTheSameAsNumbersAndAsJson() throws IOException {
    CacheSpace space = new CacheSpace(1, 2, 3, 4, 5L, 6L, 7, 8);
    assertThat(json.numbers(space))
        .containsExactly(
            Map.entry("inputCapacity", 1L),
            Map.entry("inputUsed", 2L),
            Map.entry("localizedCapacity", 3L),
            Map.entry("localizedPeak", 5L),
            Map.entry("localizedRefused", 6L),
            Map.entry("localizedUsed", 4L),
            Map.entry("pool", 7L),
            Map.entry("poolLent", 8L));
    assertThat(json.ofNumbers(json.numbers(space), CacheSpace.class)).isEqualTo(space);
    assertThat(json.ofNumbers(Map.of("later", 1L), CacheSpace.class).inputCapacity()).isEqualTo(-1);
    assertThat(json.write(new CacheSpace(1, 2, 3, 4, null, null, 7, 8)))
        .isEqualTo(
            "{\"inputCapacity\":1,\"inputUsed\":2,\"localizedCapacity\":3,\"localizedUsed\":4,"
                + "\"pool\":7,\"poolLent\":8}");
  }

  @Test
  void whatIsOfAnotherShapeIsRefused() {
    assertThatThrownBy(() -> json.read("{\"engines\":7}", NodeSnapshot.class))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> json.read(new ObjectMapper().readTree("[]"), NodeSnapshot.class))
        .isInstanceOf(IOException.class);
  }
}
