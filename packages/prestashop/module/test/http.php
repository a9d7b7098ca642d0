<?php
/** The shop over HTTP, for what ends a request: redirects and answers that are no page. */

final class Served_Shop {
	/** @var resource|null */
	private static $process = null;
	/** @var string */
	private static $url = '';
	/** @var string */
	private static $folder = '';

	/** @return array{status:int,headers:string,body:string} */
	public static function request( string $method, string $path, string $body = '', array $headers = array() ): array {
		self::start();
		$context = stream_context_create( array( 'http' => array( 'method' => $method, 'header' => implode( "\r\n", array() === preg_grep( '/^Content-Type:/', $headers ) ? array_merge( $headers, array( 'Content-Type: application/json' ) ) : $headers ), 'content' => $body, 'ignore_errors' => true, 'follow_location' => 0 ) ) );
		$answer  = file_get_contents( self::$url . $path, false, $context );
		preg_match( '/ ([0-9]{3})/', $http_response_header[0], $status );
		return array( 'status' => (int) $status[1], 'headers' => implode( "\n", $http_response_header ), 'body' => (string) $answer );
	}

	/** One server for each shop: it ends with the shop of the test. */
	private static function start(): void {
		if ( null !== self::$process && self::$folder === Db::$folder ) {
			return;
		}
		self::stop();
		$socket       = stream_socket_server( 'tcp://127.0.0.1:0' );
		$address      = stream_socket_get_name( $socket, false );
		self::$url    = "http://$address";
		self::$folder = Db::$folder;
		fclose( $socket );
		$environment   = array( 'TILLKIT_SHOP' => Db::$folder, 'TILLKIT_SHOP_URL' => self::$url, 'PATH' => (string) getenv( 'PATH' ) );
		self::$process = proc_open( array( PHP_BINARY, '-S', $address, __DIR__ . '/serve.php' ), array( 1 => array( 'file', '/dev/null', 'w' ), 2 => array( 'file', '/dev/null', 'w' ) ), $pipes, null, $environment );
		for ( $try = 0; $try < 3000 && ! self::answers( $address ); ++$try ) {
			usleep( 20000 );
		}
	}

	private static function answers( string $address ): bool {
		try {
			return false !== stream_socket_client( "tcp://$address" );
		} catch ( ErrorException $refused ) {
			return false;
		}
	}

	public static function stop(): void {
		if ( null !== self::$process ) {
			proc_terminate( self::$process );
			proc_close( self::$process );
			self::$process = null;
		}
	}
}

register_shutdown_function( array( 'Served_Shop', 'stop' ) );

function front( string $controller, array $query = array() ): string {
	return '/index.php?' . http_build_query( array( 'fc' => 'module', 'module' => 'tillkit', 'controller' => $controller ) + $query );
}

/** @return string The address to which a request leads. */
function location( array $answer ): string {
	return preg_match( '/^Location: (\S+)$/m', $answer['headers'], $found ) ? $found[1] : '';
}
