<?php
$routes = array();

function register_rest_route( string $namespace, string $path, array $route ): void {
	$GLOBALS['routes'][ $namespace . $path ] = $route;
}

final class WP_REST_Request {
	private $body;
	private $headers;

	public function __construct( string $body, array $headers = array() ) {
		$this->body    = $body;
		$this->headers = array_change_key_case( $headers );
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
}
