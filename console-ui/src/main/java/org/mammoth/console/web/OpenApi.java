// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The OpenAPI 3.0 document of a list of routes; shapes come from the records they answer with. */
final class OpenApi {

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, JsonNode> schemas = new TreeMap<>();
  private final Map<String, Class<?>> named = new HashMap<>();

  private OpenApi() {}

  static ObjectNode of(List<Route> routes, String version) {
    return new OpenApi().document(routes, version);
  }

  private ObjectNode document(List<Route> routes, String version) {
    ObjectNode document = json.createObjectNode();
    document.put("openapi", "3.0.3");
    document
        .putObject("info")
        .put("title", "Mammoth console")
        .put("version", version)
        .put(
            "description",
            "Times are milliseconds since 1970, sizes bytes. Within v1 fields are added, never"
                + " changed or removed.");
    document.putArray("servers").addObject().put("url", "/api/v1");
    ObjectNode paths = document.putObject("paths");
    for (Route route : routes) {
      ObjectNode path =
          paths.has(route.path())
              ? (ObjectNode) paths.get(route.path())
              : paths.putObject(route.path());
      path.set(route.method().toLowerCase(java.util.Locale.ROOT), operation(route));
    }
    schemas.put(
        "Error",
        json.createObjectNode()
            .put("type", "object")
            .set(
                "properties",
                json.createObjectNode()
                    .set("error", json.createObjectNode().put("type", "string"))));
    ObjectNode components = document.putObject("components").putObject("schemas");
    schemas.forEach(components::set);
    return document;
  }

  private ObjectNode operation(Route route) {
    ObjectNode operation = json.createObjectNode();
    operation.put("summary", route.summary());
    operation.put("x-right", route.right().name().toLowerCase(java.util.Locale.ROOT));
    ArrayNode parameters = operation.putArray("parameters");
    Matcher names = Pattern.compile("\\{(\\w+)}").matcher(route.path());
    while (names.find()) {
      parameter(parameters, names.group(1), "path", "string", true, "");
    }
    for (Route.Param param : route.query()) {
      parameter(
          parameters, param.name(), "query", param.type(), param.required(), param.description());
    }
    if (route.method().equals("POST")) {
      parameter(
          parameters,
          SecurityHeaders.CSRF_HEADER,
          "header",
          "string",
          true,
          "any value; shows that no foreign page sent the request");
    }
    ObjectNode responses = operation.putObject("responses");
    ObjectNode good = responses.putObject("200").put("description", route.summary());
    if (route.answer() == Attachment.class) {
      good.putObject("content")
          .putObject("application/zip")
          .putObject("schema")
          .put("type", "string")
          .put("format", "binary");
    } else if (route.answer() != null) {
      good.putObject("content").putObject("application/json").set("schema", schema(route.answer()));
    }
    responses
        .putObject("default")
        .put("description", "What is wrong with the request, or with the cluster")
        .putObject("content")
        .putObject("application/json")
        .putObject("schema")
        .put("$ref", "#/components/schemas/Error");
    return operation;
  }

  private void parameter(
      ArrayNode list, String name, String in, String type, boolean required, String description) {
    ObjectNode parameter = list.addObject();
    parameter.put("name", name).put("in", in).put("required", required);
    parameter.put("description", description);
    parameter.putObject("schema").put("type", type);
  }

  private ObjectNode schema(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      ObjectNode schema = json.createObjectNode();
      if (generic.getRawType() == Map.class) {
        schema.put("type", "object").set("additionalProperties", schema(arguments[1]));
      } else {
        schema.put("type", "array").set("items", schema(arguments[0]));
      }
      return schema;
    }
    return ofClass((Class<?>) type);
  }

  private ObjectNode ofClass(Class<?> type) {
    ObjectNode schema = json.createObjectNode();
    if (type == boolean.class) {
      return schema.put("type", "boolean");
    }
    if (Set.of(long.class, int.class, Long.class, Integer.class).contains(type)) {
      return schema.put("type", "integer").put("format", "int64");
    }
    if (type == double.class || type == Double.class) {
      return schema.put("type", "number");
    }
    if (type == Double.class) {
      return schema.put("type", "number").put("nullable", true);
    }
    if (type == String.class) {
      return schema.put("type", "string").put("nullable", true);
    }
    if (type.isArray()) {
      ObjectNode items = ofClass(type.getComponentType());
      if (type == long[].class) {
        items.put("nullable", true).put("description", "null where nobody tells it");
      }
      schema.put("type", "array").set("items", items);
      return schema;
    }
    if (type.isEnum()) {
      schema.put("type", "string");
      for (Object constant : type.getEnumConstants()) {
        schema.withArray("enum").add(constant.toString());
      }
      return schema;
    }
    if (!type.isRecord()) {
      return schema.put("type", "object");
    }
    String name = type.getSimpleName();
    Class<?> before = named.putIfAbsent(name, type);
    if (before != null && before != type) {
      throw new IllegalStateException(type + " and " + before + " would be one schema");
    }
    if (!schemas.containsKey(name)) {
      ObjectNode record = json.createObjectNode().put("type", "object");
      record.put("nullable", true);
      schemas.put(name, record);
      ObjectNode properties = record.putObject("properties");
      for (RecordComponent component : type.getRecordComponents()) {
        properties.set(component.getName(), schema(component.getGenericType()));
      }
    }
    return schema.put("$ref", "#/components/schemas/" + name);
  }
}
