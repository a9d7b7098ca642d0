<?php
$routes = array();

function register_rest_route( string $namespace, string $path, array $route ): void {
	$GLOBALS['routes'][ $namespace . $path ] = $route;
}

final class WP_REST_Request {
	private $body;
	private $headers;

	/** For a request inside WordPress: method, path, query and body, as the tests read them. */
	public $inside = array();

	/** A request from outside has a body and headers, one inside WordPress a method and a path. */
	public function __construct( string $body, $headers = array() ) {
		$this->inside  = is_string( $headers ) ? array( 'method' => $body, 'path' => $headers ) : array();
		$this->body    = is_string( $headers ) ? '' : $body;
		$this->headers = is_string( $headers ) ? array() : array_change_key_case( $headers );
	}

	public function set_query_params( array $query ): void {
		$this->inside['query'] = $query;
	}

	public function set_body_params( array $fields ): void {
		$this->inside['fields'] = $fields;
	}

	public function get_body() {
		return $this->body;
	}

	public function get_header( string $name ) {
		return $this->headers[ strtolower( $name ) ] ?? null;
	}

	public function get_param( string $name ) {
		return json_decode( $this->body, true )[ $name ] ?? null;
	}
}

final class WP_REST_Response {
	public $data;
	public $status;
	public $headers;

	public function __construct( $data, int $status, array $headers ) {
		list( $this->data, $this->status, $this->headers ) = array( $data, $status, $headers );
	}

	public function get_headers(): array {
		return $this->headers;
	}

	public function get_status(): int {
		return $this->status;
	}
}

/** WooCommerce's REST API: what it checks before it answers about orders, and what the test lets it answer. */
function rest_do_request( WP_REST_Request $request ): WP_REST_Response {
	Stubs::$inside[] = $request->inside;
	$contexts        = array( 'GET' => 'read', 'PUT' => 'edit', 'POST' => 'create' );
	if ( ! apply_filters( 'woocommerce_rest_check_permissions', false, $contexts[ $request->inside['method'] ], 0, 'shop_order' ) ) {
		return new WP_REST_Response( array( 'code' => 'woocommerce_rest_cannot_view' ), 401, array() );
	}
	return new WP_REST_Response( array( 'id' => 1042 ), 200, array( 'X-WP-TotalPages' => 3 ) );
}

function rest_get_server() {
	return new class() {
		public function response_to_data( WP_REST_Response $response, bool $embed ) {
			return $response->data;
		}
	};
}
