<?php
/** Pages, links and the session of the shop. */

/** Ends a request where the shop would: tests catch it. */
final class Request_Ended extends Error {
	/** @var string */
	public $where;

	public function __construct( string $where ) {
		parent::__construct( "The request ended at $where." );
		$this->where = $where;
	}
}

final class Tools {
	public static function getValue( string $name, $default = false ) {
		return $_POST[ $name ] ?? $_GET[ $name ] ?? $default;
	}

	public static function getContextLocale( Context $context ): Context {
		return $context;
	}

	public static function isSubmit( string $name ): bool {
		return isset( $_POST[ $name ] );
	}

	public static function redirectAdmin( string $url ): void {
		if ( defined( 'RACE_WORKER' ) ) {
			echo 'refused';
			exit;
		}
		throw new Request_Ended( $url );
	}

	public static function redirect( string $url ): void {
		throw new Request_Ended( $url );
	}
}

final class Link {
	public function getModuleLink( string $module, string $controller, array $query = array(), $ssl = null ): string {
		return Web::shop_url() . '/index.php?' . http_build_query( array( 'fc' => 'module' ) + compact( 'module', 'controller' ) + $query );
	}

	public function getPageLink( string $page, $ssl = null, $language = null, $query = null ): string {
		return Web::shop_url() . "/$page" . ( $query ? '?' . http_build_query( $query ) : '' );
	}

	/** The administration has an address of its own, which a page of the shop does not know. */
	public function getAdminLink( string $controller, bool $token = true, array $route = array(), array $query = array() ): string {
		if ( null === Context::getContext()->employee ) {
			throw new Error( 'Undefined constant "_PS_ADMIN_DIR_"' );
		}
		return "https://shop.example/admin123/index.php?controller=$controller" . ( array() === $query ? '' : '&' . http_build_query( $query ) ) . ( $token ? '&token=t0ken' : '' );
	}
}

final class Cookie {
	public $id_cart = 0;

	public function write(): void {
	}
}

final class Smarty {
	/** @var array */
	public $assigned = array();

	public function assign( array $values ): void {
		$this->assigned = $values + $this->assigned;
	}
}

class ModuleFrontController {
	public $module;
	public $context;
	public $errors   = array();
	public $template = '';

	public function __construct() {
		$this->module  = module();
		$this->context = Context::getContext();
	}

	public function postProcess() {
	}

	public function initContent() {
	}

	public function setTemplate( string $name ): void {
		$this->template = $name;
	}

	public function redirectWithNotifications( string $url ): void {
		throw new Request_Ended( $url );
	}
}

class ModuleAdminController {
	public $bootstrap;
	public $context;
	public $content = '';

	public function __construct() {
		$this->context = Context::getContext();
	}

	/** Without the token of this person the shop shows a warning, and not the page. */
	public function checkToken() {
		return 't0ken' === Tools::getValue( 'token' );
	}

	public function access( string $what ): bool {
		return 'edit' !== $what || 8 !== ( $this->context->employee->id ?? 0 );
	}

	public function initContent() {
	}
}
